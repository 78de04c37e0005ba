import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { aVmi } from '../../kubevirt/builders.ts';
import { RECORDED_BEHAVIOR } from './behavior.ts';
import { behaviorsIn } from './behavior-file.ts';
import { GuestError } from './errors.ts';

const FILE = 'guests.yaml';
const db = aVmi('pg-1', 'data').labelled('tier', 'db').build();

describe('behaviours in a file', () => {
  it('are those of the recordings where the file is empty', () => {
    expect(behaviorsIn('', FILE)(db)).toEqual(RECORDED_BEHAVIOR);
    expect(behaviorsIn('# nothing yet', FILE)(db)).toEqual(RECORDED_BEHAVIOR);
  });

  it('may come in several documents', () => {
    const text = '- bootSeconds: 3\n---\n- bootSeconds: 4\n- guestAgent: true';
    expect(behaviorsIn(text, FILE)(db)).toMatchObject({ bootSeconds: 3, guestAgent: true });
  });

  it('count field by field, the first entry that says something first', () => {
    const text = `
- selector: { name: pg-* }
  bootSeconds: 20
- selector: { namespace: data }
  bootSeconds: 5
  shutdown: { kind: ignores }
- guestAgent: true
`;
    expect(behaviorsIn(text, FILE)(db)).toEqual({
      ...RECORDED_BEHAVIOR,
      bootSeconds: 20,
      shutdown: { kind: 'ignores', seconds: 0 },
      guestAgent: true,
    });
  });

  it.each([
    ['namespace: data', true],
    ['namespace: shop', false],
    ['name: pg-1', true],
    ['name: pg', false],
    ['name: p*1', true],
    ['name: "*"', true],
    ['name: pg.1', false],
    ['matchLabels: { tier: db }', true],
    ['matchLabels: { tier: web }', false],
    ['namespace: data, name: other', false],
  ])('are picked by { %s }: %s', (selector, isPicked) => {
    const { bootSeconds } = behaviorsIn(`- { selector: { ${selector} }, bootSeconds: 9 }`, FILE)(db);
    expect(bootSeconds).toBe(isPicked ? 9 : 1);
  });

  it('tell of memory in sizes as Kubernetes writes them', () => {
    const text =
      '- migration: { kind: copies, memory: 8G, hotSet: 500M, hotSetSeconds: 2, coldDirtyPerSecond: 1000000 }';
    expect(behaviorsIn(text, FILE)(db).migration).toEqual({
      kind: 'copies',
      memoryMB: 8000,
      hotSetMB: 500,
      hotSetSeconds: 2,
      coldDirtyMBps: 1,
    });
  });

  it('write to nothing and use all their memory where nothing else is said', () => {
    expect(behaviorsIn('- migration: { kind: copies }', FILE)(db).migration).toEqual({
      kind: 'copies',
      memoryMB: undefined,
      hotSetMB: 0,
      hotSetSeconds: 0,
      coldDirtyMBps: 0,
    });
  });

  it('say why an injected failure failed', () => {
    expect(behaviorsIn('- migration: { kind: fails, seconds: 4 }', FILE)(db).migration).toEqual({
      kind: 'fails',
      seconds: 4,
      reason: 'lab: injected failure',
    });
  });

  it('fail a share of the copies, and have the others go as the entries below say', () => {
    const text = `
- migration: { kind: fails, seconds: 4, share: 0.3 }
- migration: { kind: takes, seconds: 9 }
`;
    const behaviorOf = behaviorsIn(text, FILE);
    const copies = Array.from({ length: 400 }, (_, i) => ({
      ...db,
      status: { ...db.status, migrationState: { targetPod: `virt-launcher-pg-1-${i}` } },
    }));
    const failed = copies.filter((vmi) => behaviorOf(vmi).migration.kind === 'fails');
    expect(failed.length).toBeGreaterThan(90);
    expect(failed.length).toBeLessThan(150);
    const others = copies.filter((vmi) => !failed.includes(vmi)).map((vmi) => behaviorOf(vmi).migration);
    expect(new Set(others.map((migration) => JSON.stringify(migration)))).toEqual(
      new Set(['{"kind":"takes","seconds":9}']),
    );
    expect(behaviorOf(copies[7] ?? db)).toEqual(behaviorOf(copies[7] ?? db));
  });

  it.each([
    ['- migration: { kind: fails, seconds: 4, share: 30 }', 'GuestsInvalid', '[0].migration.share'],
    ['- bootSeconds: -1', 'GuestsInvalid', '[0].bootSeconds'],
    ['- boot: 1', 'GuestsInvalid', 'boot'],
    ['- migration: { kind: copies, memory: much }', 'GuestsInvalid', '"much" is no size: write 512Mi or 8Gi'],
    ['- migration: { kind: copies, memory: -1 }', 'GuestsInvalid', '"-1" is no size: write 512Mi or 8Gi'],
    [
      '- migration: { kind: copies, hotSet: 1Gi }',
      ...['GuestsInvalid', '[0].migration.hotSetSeconds: say within how many seconds'],
    ],
    ['guests: []', 'GuestsInvalid', 'it: expected array, received object'],
    ['- [', 'GuestsUnreadable', 'guests.yaml: '],
  ])('are refused where they mean nothing: %s', (text, code, told) => {
    const attempt = () => behaviorsIn(text, FILE);
    expect(attempt).toThrow(GuestError);
    expect(attempt).toThrow(expect.objectContaining({ code, message: expect.stringContaining(told) }));
  });

  it('are as the documentation shows', () => {
    const page = readFileSync('docs/concepts/nodes-and-guests.md', 'utf8');
    const behaviorOf = behaviorsIn(/```yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? '', FILE);
    expect(behaviorOf(db)).toMatchObject({
      bootSeconds: 40,
      shutdown: { kind: 'clean', seconds: 25, ignoredRequests: 1 },
      migration: { kind: 'copies', hotSetSeconds: 10 },
      guestAgent: true,
    });
    expect(behaviorOf(aVmi('batch-7', 'data').build())).toMatchObject({
      migration: { kind: 'fails', seconds: 5, reason: 'no route to host' },
      ownEnd: { kind: 'crashes', seconds: 600 },
    });
    expect(behaviorOf(aVmi('x', 'gpu').build())).toMatchObject({
      migratability: { reason: 'HostDeviceNotLiveMigratable' },
      migration: { kind: 'takes', seconds: 8 },
    });
  });

  it('are refused with a cure', () => {
    expect(new GuestError('GuestsUnreadable', 'x').cure).toContain('mend the file');
  });
});
