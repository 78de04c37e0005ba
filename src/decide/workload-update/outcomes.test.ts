import { describe, expect, it } from 'vitest';
import { aMigration, aPod, aVmi } from '../../kubevirt/builders.ts';
import type { ApiFailure } from '../api-result.ts';
import { decide } from '../rules.ts';
import { NO_BATCH } from './batch.ts';
import { createMigration, deleteMigration, evictPod } from './commands.ts';
import { evictionOutcomeTable } from './eviction-outcome.ts';
import { afterFollowUp, followUp, passError, statusPatchError } from './outcomes.ts';

const vmi = aVmi('db').build();
const creation = createMigration(vmi, 'exact', true);
const eviction = evictPod(vmi, aPod().build());
const deletion = deleteMigration(vmi, aMigration().build());
const done = { ok: true, name: 'made' } as const;
const failed = (message: string, code = 500, reason?: string): ApiFailure => ({
  ok: false,
  message,
  code,
  reason,
});
const on = (type: string, reason: string, message: string) => ({
  kind: 'VirtualMachineInstance',
  namespace: 'shop',
  name: 'db',
  type,
  reason,
  message,
});
const webhook = (text: string) =>
  failed(
    `admission webhook "virt-launcher-eviction-interceptor.kubevirt.io" denied the request: ${text}`,
    429,
  );

const STARTED = 'Eviction triggered evacuation of VMI "shop/db"';
const EVICTED = 'Initiated eviction of VMI as part of automated workload update';
const FAILED = 'Error deleting VMI during automated workload update';

describe('after the creation of a migration', () => {
  it('the event names it', () => {
    const message = 'Created Migration made for automated workload update';
    expect(followUp(creation, done, 'exact')).toStrictEqual({
      event: on('Normal', 'SuccessfulCreate', message),
    });
  });

  it('a failure is told, ends the pass and is not waited for', () => {
    const message = 'Error creating a Migration for automated workload update: forbidden';
    expect(followUp(creation, failed('forbidden', 403), 'exact')).toStrictEqual({
      event: on('Warning', 'FailedCreate', message),
      error: 'forbidden',
      lowersExpectation: true,
    });
  });
});

describe('after an eviction', () => {
  const outcome = (result: Parameters<typeof followUp>[1], behavior: 'exact' | 'intended') => {
    const decided = decide(evictionOutcomeTable, { vmi, result, behavior });
    expect(followUp(eviction, result, behavior)).toEqual(decided.result);
    return { reason: decided.reason, ...decided.result };
  };

  it('that was accepted: v1.9.0 prints an error that is none behind the message', () => {
    const normal = (message: string) => ({
      reason: 'EvictionAccepted',
      event: on('Normal', 'SuccessfulEvict', message),
      eviction: 'accepted',
    });
    expect(outcome(done, 'exact')).toStrictEqual(normal(`${EVICTED}: <nil>`));
    expect(outcome(done, 'intended')).toStrictEqual(normal(EVICTED));
  });

  it('of a pod that is gone: v1.9.0 prints the error in an event of success', () => {
    const normal = (message: string) => ({
      reason: 'PodGone',
      event: on('Normal', 'SuccessfulEvict', message),
      eviction: 'refused',
    });
    const gone = failed('pods "x" not found', 404, 'NotFound');
    expect(outcome(gone, 'exact')).toStrictEqual(normal(`${EVICTED}: pods "x" not found`));
    expect(outcome(gone, 'intended')).toStrictEqual(normal(EVICTED));
  });

  it('that started an evacuation: v1.9.0 takes it for a failure', () => {
    const result = webhook(STARTED);
    expect(outcome(result, 'exact')).toStrictEqual({
      reason: 'EvictionRefused',
      event: on('Warning', 'FailedEvict', `${FAILED}: ${result.message}`),
      error: result.message,
      eviction: 'refused',
    });
    const message = 'Initiated evacuation of VMI as part of automated workload update';
    expect(outcome(result, 'intended')).toStrictEqual({
      reason: 'EvacuationStarted',
      event: on('Normal', 'SuccessfulEvict', message),
      eviction: 'accepted',
    });
  });

  it('of a VMI that is being evacuated already: v1.9.0 takes it for a failure', () => {
    const result = webhook(`Evacuation in progress: ${STARTED}`);
    expect(outcome(result, 'exact').reason).toBe('EvictionRefused');
    expect(outcome(result, 'intended')).toStrictEqual({
      reason: 'EvacuationInProgress',
      eviction: 'refused',
    });
  });

  it.each([
    ['another VMI', webhook('Eviction triggered evacuation of VMI "shop/web"')],
    ['the target pod', webhook('Eviction request for target Pod')],
    [
      'a VMI that cannot migrate',
      webhook('VMI db is configured with an eviction strategy but is not live-migratable'),
    ],
    ['a budget', failed("Cannot evict pod as it would violate the pod's disruption budget.", 429)],
    ['an error with the same words', failed(STARTED, 500)],
    ['an error of the server', failed('etcdserver: leader changed')],
  ])('that was refused for %s, the refusal is told and ends the pass', (_, result) => {
    for (const behavior of ['exact', 'intended'] as const) {
      expect(outcome(result, behavior)).toStrictEqual({
        reason: 'EvictionRefused',
        event: on('Warning', 'FailedEvict', `${FAILED}: ${result.message}`),
        error: result.message,
        eviction: 'refused',
      });
    }
  });

  it.each([
    ['no answer', { ok: false, message: 'read ECONNRESET' }],
    ['a time-out', failed('request did not complete within requested timeout', 504, 'Timeout')],
    ['a time-out of etcd', failed('etcdserver: request timed out')],
  ] as const)('with %s uses its place up, as intended', (_, result) => {
    const told = {
      event: on('Warning', 'FailedEvict', `${FAILED}: ${result.message}`),
      error: result.message,
    };
    const refused = { reason: 'EvictionRefused', ...told, eviction: 'refused' };
    expect(outcome(result, 'exact')).toStrictEqual(refused);
    expect(outcome(result, 'intended')).toStrictEqual({
      ...refused,
      reason: 'AnswerLost',
      eviction: 'accepted',
    });
  });

  it('the evidence is the answer', () => {
    const object = 'VirtualMachineInstance shop/db';
    const evidence = (result: Parameters<typeof followUp>[1]) =>
      decide(evictionOutcomeTable, { vmi, result, behavior: 'exact' }).evidence;
    expect(evidence(failed('no', 429))).toEqual([
      { object, path: 'eviction.code', value: 429 },
      { object, path: 'eviction.message', value: 'no' },
    ]);
    expect(evidence(done).map(({ value }) => value)).toEqual([undefined, undefined]);
  });
});

describe('after the deletion of a migration', () => {
  it('the event names the VMI', () => {
    const event = on('Normal', 'SuccessfulChangeAbortion', 'Aborted change for vmi: db');
    expect(followUp(deletion, done, 'exact')).toStrictEqual({ event });
  });

  it('that is gone already nothing follows', () => {
    expect(followUp(deletion, failed('gone', 404, 'NotFound'), 'exact')).toStrictEqual({});
  });

  it('a failure is told and ends the pass: v1.9.0 takes it for a normal event', () => {
    const message = 'Failed to abort change for vmi: db: etcd';
    const told = (type: string) => ({ event: on(type, 'FailedChangeAbortion', message), error: 'etcd' });
    expect(followUp(deletion, failed('etcd'), 'exact')).toStrictEqual(told('Normal'));
    expect(followUp(deletion, failed('etcd'), 'intended')).toStrictEqual(told('Warning'));
  });
});

describe('what is remembered after an answer', () => {
  const state = { batch: { ...NO_BATCH, lastAt: 5 }, expectation: { pending: 2, setAt: 5 } };

  it('a creation that failed is not waited for', () => {
    const after = afterFollowUp(state, vmi, followUp(creation, failed('no'), 'exact'), 9, 'exact');
    expect(after).toEqual({ ...state, expectation: { pending: 1, setAt: 5 } });
    expect(afterFollowUp(state, vmi, followUp(creation, done, 'exact'), 9, 'exact')).toBe(state);
  });

  it('an eviction uses a place or goes behind the others as intended, and nothing in v1.9.0', () => {
    const accepted = { eviction: 'accepted' } as const;
    const refused = { eviction: 'refused' } as const;
    expect(afterFollowUp(state, vmi, accepted, 9, 'exact')).toBe(state);
    expect(afterFollowUp(state, vmi, refused, 9, 'exact')).toBe(state);
    expect(afterFollowUp(state, vmi, accepted, 9, 'intended')).toEqual({
      ...state,
      batch: { lastAt: 9, accepted: 1, refused: [] },
    });
    expect(afterFollowUp(state, vmi, refused, 9, 'intended')).toEqual({
      ...state,
      batch: { lastAt: 5, accepted: 0, refused: ['shop/db'] },
    });
  });

  it('a deletion changes nothing', () => {
    expect(afterFollowUp(state, vmi, followUp(deletion, done, 'intended'), 9, 'intended')).toBe(state);
  });
});

describe('the end of a pass', () => {
  it('is the first error that there is', () => {
    expect(passError([{}, { error: 'first' }, { error: 'second' }])).toBe('first');
    expect(passError([{}, { error: '' }, { error: 'second' }])).toBe('');
    expect(passError([{}, {}])).toBeUndefined();
    expect(passError([])).toBeUndefined();
  });

  it('after a status patch that failed, says so', () => {
    expect(statusPatchError(failed('conflict', 409))).toBe(
      'unable to patch kubevirt obj status to update the outdatedVirtualMachineInstanceWorkloads valued: conflict',
    );
  });
});
