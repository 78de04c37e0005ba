import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { simulate } from './simulate.ts';

const folder = mkdtempSync(join(tmpdir(), 'drover-simulate-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Plays what is written once. */
async function played(scenario: object) {
  const file = join(folder, 'scenario.yaml');
  writeFileSync(file, JSON.stringify({ title: 'A scenario', ...scenario }));
  return (await simulate({ file, snapshot: [], runs: 1, jobs: 1 })).status;
}

describe('a guest that shuts down in 25 s and boots in 40 s takes its time', () => {
  it.each([
    [{ restart: 'a' }, [{ down: 35, up: 76, how: 'Succeeded' }]],
    [{ stop: 'a' }, [{ down: 35, up: undefined, how: 'Succeeded' }]],
    [{ evict: 'a' }, [{ down: 35, up: 76, how: 'Succeeded' }]],
    [{ delete: { kind: 'VirtualMachineInstance', name: 'a' } }, [{ down: 35, up: 76, how: 'Succeeded' }]],
  ])('on %j', async (action, outages) => {
    const { firstRun } = await played({
      cluster: { nodes: ['n1'], vms: [{ name: 'a', node: 'n1', graceSeconds: 60 }] },
      guests: [{ bootSeconds: 40, shutdown: { kind: 'clean', seconds: 25 } }],
      timeline: [{ at: '10s', ...action }],
    });
    const told = firstRun.vms[0]?.outages.map(({ downSeconds, upSeconds, how }) => ({
      down: Math.round(downSeconds),
      up: upSeconds && Math.round(upSeconds),
      how,
    }));
    expect(told).toEqual(outages);
  });
});
