import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aMigration, aVmi } from '../../kubevirt/builders.ts';
import type { Migration } from '../../kubevirt/objects.ts';
import { formatInstant, parseInstant } from '../../kubevirt/time.ts';
import { type Behavior, decide, traceOf } from '../rules.ts';
import { type BackoffInput, backoffSeconds, backoffTable, LONGEST_BACKOFF_SECONDS } from './backoff.ts';
import { finishedToDelete, KEPT_FINALS } from './garbage.ts';

const noon = parseInstant('2026-03-01T12:00:00Z') ?? 0;
const at = (seconds: number) => formatInstant(noon + seconds * 1000);

/** Made `seconds` after noon. */
const evacuation = (name: string, seconds: number) => aMigration(name).evacuation().createdAt(at(seconds));
const failed = (name: string, seconds: number, failedSeconds = seconds + 10) =>
  evacuation(name, seconds).reached('Failed', at(failedSeconds));
const succeeded = (name: string, seconds: number) =>
  evacuation(name, seconds).reached('Succeeded', at(seconds + 10));
const own = evacuation('own', 1000).phase('Pending').build();

function ask(
  older: { build(): Migration }[],
  nowSeconds = 1000,
  change: Partial<BackoffInput> = {},
): BackoffInput {
  return {
    vmi: aVmi().build(),
    migration: own,
    migrations: [...older.map((m) => m.build()), own],
    now: noon + nowSeconds * 1000,
    behavior: 'exact',
    ...change,
  };
}

describe('the wait', () => {
  it.each([
    [-1, 0],
    [0, 0],
    [1, 20],
    [2, 40],
    [3, 80],
    [4, 160],
    [5, 320],
    [6, 640],
  ])('after %i failures in a row: %i s', (failures, seconds) => {
    expect(backoffSeconds(failures)).toBe(seconds);
  });

  it('is at most 320 s (C10)', () => {
    expect(LONGEST_BACKOFF_SECONDS).toBe(320);
  });
});

describe('who waits', () => {
  const recent = () => failed('f', 900, 995);
  const withOwn = (migration: Migration, older = [recent()]) =>
    ask(older, 1000, { migration, migrations: [...older.map((m) => m.build()), migration] });

  it.each([
    ['one failure just before', ask([recent()]), 'BackingOff'],
    ['no predecessor', ask([]), 'NoPredecessor'],
    [
      'told to ignore back-off',
      withOwn(evacuation('own', 1000).annotated('kubevirt.io/func-test-ignore-migration-backoff').build()),
      'BackoffIgnored',
    ],
    ['started by a person', withOwn(aMigration('own').createdAt(at(1000)).build()), 'NotAutomatic'],
    [
      'a workload update after a failed evacuation',
      withOwn(aMigration('own').workloadUpdate().createdAt(at(1000)).build()),
      'BackingOff',
    ],
    [
      'a predecessor that a person started',
      ask([aMigration('f').createdAt(at(900)).reached('Failed', at(995))]),
      'NoPredecessor',
    ],
    ['a younger one exists', ask([recent(), evacuation('younger', 1001)]), 'NoPredecessor'],
    [
      'an equally old one exists',
      ask([recent(), evacuation('aaa', 1000).reached('Failed', at(1000))]),
      'BackingOff',
    ],
    ['the predecessor succeeded', ask([succeeded('s', 950)]), 'NoFailureSinceSuccess'],
    [
      'the predecessor succeeded after failures',
      ask([failed('f', 900, 995), succeeded('s', 980)]),
      'NoFailureSinceSuccess',
    ],
    ['the predecessor is unfinished', ask([evacuation('p', 990).phase('Pending')]), 'NoFailureSinceSuccess'],
    ['the predecessor failed and is being deleted', ask([recent().deleting()]), 'NoFailureSinceSuccess'],
    ['the wait ends now', ask([failed('f', 900, 980)]), 'WaitIsOver'],
    ['the wait ends in a second', ask([failed('f', 900, 981)]), 'BackingOff'],
  ])('%s: %s', (_, input, reason) => {
    expect(decide(backoffTable, input).reason).toBe(reason);
  });

  it('others proceed', () => {
    expect(decide(backoffTable, ask([])).result).toEqual({ action: 'Proceed' });
    expect(decide(backoffTable, ask([failed('f', 900, 980)])).result).toEqual({ action: 'Proceed' });
  });
});

describe('how long', () => {
  const waitAfter = (older: { build(): Migration }[], change: Partial<BackoffInput> = {}) => {
    const result = decide(backoffTable, ask(older, 1000, change)).result;
    return result.action === 'Wait' ? result.afterSeconds : 0;
  };

  it('counts from the failure of the predecessor', () => {
    expect(waitAfter([failed('a', 900, 995)])).toBe(15);
    expect(waitAfter([failed('a', 700, 800), failed('b', 900, 995)])).toBe(35);
    expect(waitAfter([failed('a', 600), failed('b', 700), failed('c', 900, 995)])).toBe(75);
  });

  it('counts failures only back to the last success, and not the deleted ones', () => {
    expect(waitAfter([failed('a', 600), succeeded('s', 700), failed('c', 900, 995)])).toBe(15);
    expect(waitAfter([failed('a', 600).deleting(), failed('c', 900, 995)])).toBe(15);
    expect(waitAfter([failed('a', 600), evacuation('x', 700).phase('Running'), failed('c', 900, 995)])).toBe(
      35,
    );
  });

  it('takes the order from the creation, not from the list', () => {
    expect(waitAfter([failed('b', 900, 995), failed('a', 600, 610)])).toBe(35);
  });

  it('tells it on the VMI and comes back at the highest priority', () => {
    expect(decide(backoffTable, ask([failed('f', 900, 995)])).result).toEqual({
      action: 'Wait',
      afterSeconds: 15,
      priority: 1000,
      event: {
        kind: 'VirtualMachineInstance',
        namespace: 'shop',
        name: 'db',
        type: 'Warning',
        reason: 'MigrationBackoff',
        message: 'backoff migrating vmi shop/db',
      },
    });
  });

  it('keeps fractions of a second', () => {
    expect(waitAfter([failed('f', 900, 995)], { now: noon + 1000_250 })).toBe(14.75);
  });
});

describe('defect: only the immediate predecessor says when the wait began', () => {
  const reasonWith = (older: { build(): Migration }[], behavior: Behavior) =>
    decide(backoffTable, ask(older, 1000, { behavior })).reason;
  const cancelled = evacuation('gone', 998).phase('Running').deleting();

  it('exact: a predecessor without a Failed time ends all waiting', () => {
    expect(reasonWith([failed('f', 900, 995), cancelled], 'exact')).toBe('WaitIsOver');
  });

  it('intended: the newest failure counts', () => {
    expect(reasonWith([failed('f', 900, 995), cancelled], 'intended')).toBe('BackingOff');
  });

  it('exact: a deleted predecessor that had failed still sets the time', () => {
    const older = [failed('f', 900, 910), failed('gone', 985, 990).deleting()];
    expect(reasonWith(older, 'exact')).toBe('BackingOff');
    expect(reasonWith(older, 'intended')).toBe('WaitIsOver');
  });
});

describe('attempts that always fail', () => {
  it('wait ever longer, up to 320 s, because only five finished ones are kept', () => {
    let kept: Migration[] = [];
    const waits: number[] = [];
    for (let attempt = 0; attempt < 9; attempt++) {
      const now = noon + attempt * 10_000_000;
      const migration = aMigration(`m${attempt}`).evacuation().createdAt(formatInstant(now)).build();
      const result = decide(backoffTable, {
        ...ask([]),
        migration,
        migrations: [...kept, migration],
        now: now - 10_000_000,
      }).result;
      waits.push(result.action === 'Wait' ? result.afterSeconds : 0);
      const ended = {
        ...migration,
        status: {
          phase: 'Failed',
          phaseTransitionTimestamps: [{ phase: 'Failed', phaseTransitionTimestamp: formatInstant(now) }],
        },
      };
      const gone = new Set(finishedToDelete([...kept, ended]).map(({ name }) => name));
      kept = [...kept, ended].filter((m) => !gone.has(m.metadata.name));
    }
    expect(waits).toEqual([0, 20, 40, 80, 160, 320, 320, 320, 320]);
    expect(kept).toHaveLength(KEPT_FINALS);
  });

  it('never wait longer than the longest, however the failures lie', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 999 }), { minLength: 1, maxLength: 5 }), (times) => {
        const older = times.map((seconds, i) => failed(`f${i}`, seconds, seconds));
        const result = decide(backoffTable, ask(older)).result;
        return result.action === 'Proceed' || result.afterSeconds <= LONGEST_BACKOFF_SECONDS;
      }),
    );
  });
});

describe('evidence', () => {
  const OWN = 'VirtualMachineInstanceMigration shop/own';

  it('shows what each rule looked at', () => {
    const failure = {
      object: 'VirtualMachineInstanceMigration shop/f',
      path: 'status.phaseTransitionTimestamps[phase=Failed]',
      value: at(995),
    };
    expect(
      traceOf(backoffTable, ask([failed('f', 900, 995)])).map((step) => [step.rule, step.evidence]),
    ).toEqual([
      [
        'BackoffIgnored',
        [
          {
            object: OWN,
            path: 'metadata.annotations[kubevirt.io/func-test-ignore-migration-backoff]',
            value: undefined,
          },
        ],
      ],
      [
        'NotAutomatic',
        [
          { object: OWN, path: 'metadata.annotations[kubevirt.io/evacuationMigration]', value: 'n1' },
          {
            object: OWN,
            path: 'metadata.annotations[kubevirt.io/workloadUpdateMigration]',
            value: undefined,
          },
        ],
      ],
      ['NoPredecessor', [{ object: OWN, path: 'metadata.creationTimestamp', value: at(1000) }]],
      ['NoFailureSinceSuccess', [failure]],
      ['WaitIsOver', [failure]],
      ['BackingOff', [failure]],
    ]);
  });
});
