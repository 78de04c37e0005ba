import { describe, expect, it } from 'vitest';
import { aPod } from '../../kubevirt/builders.ts';
import type { Pod } from '../../kubevirt/objects.ts';
import { decide } from '../rules.ts';
import { DRAIN_CLIENTS, type DrainClient, type DrainClientName } from './clients.ts';
import {
  type EvictionAnswer,
  evictionStepTable,
  isTimeUp,
  type NextStep,
  tellTimeUp,
} from './eviction-loop.ts';
import { evictionWaitTable, POLL_SECONDS, type WaitLook } from './eviction-wait.ts';

const pod = aPod('l').build();
const step = (client: DrainClient, answer: EvictionAnswer, of: Pod = pod) =>
  decide(evictionStepTable, { client, pod: of, answer });
const refused: EvictionAnswer = { ok: false, code: 429, message: 'not now' };
const broken: EvictionAnswer = { ok: false, code: 500, message: 'boom' };
const going: EvictionAnswer = { ok: false, code: 403, message: 'ns gone', isNamespaceTerminating: true };
const forbidden: EvictionAnswer = { ok: false, code: 403, message: 'no right' };
const gone: EvictionAnswer = { ok: false, code: 404, message: 'not found' };
const accepted: EvictionAnswer = { ok: true, code: 201 };
const unreached: EvictionAnswer = { ok: false, message: 'connection refused' };

const wait: NextStep = { step: 'wait', says: '' };
const done: NextStep = { step: 'done', says: '' };
const giveUp = (says: string): NextStep => ({ step: 'give-up', says });
const retry = (afterSeconds: number, says: string): NextStep => ({ step: 'retry', afterSeconds, says });

describe('after an answer to an eviction', () => {
  it.each<[DrainClientName, string, EvictionAnswer, NextStep]>([
    ['kubectl', 'Accepted', accepted, wait],
    ['kubectl', 'PodGone', gone, done],
    [
      'kubectl',
      'TooManyRequests',
      refused,
      retry(5, 'error when evicting pods/"l" -n "shop" (will retry after 5s): not now'),
    ],
    [
      'kubectl',
      'NamespaceTerminatingFirst',
      going,
      retry(
        5,
        'error when evicting pod "l" from terminating namespace "shop" (will retry after 5s): ns gone',
      ),
    ],
    ['kubectl', 'Error', forbidden, giveUp('error when evicting pods/"l" -n "shop": no right')],
    ['kubectl', 'Error', broken, giveUp('error when evicting pods/"l" -n "shop": boom')],
    ['kubectl', 'Error', unreached, giveUp('error when evicting pods/"l" -n "shop": connection refused')],
    [
      'talosctl',
      'TooManyRequests',
      refused,
      retry(0, 'error when evicting pods/"l" -n "shop" (will retry after 0s): not now'),
    ],
    [
      'talosctl',
      'NamespaceTerminatingFirst',
      going,
      retry(
        0,
        'error when evicting pod "l" from terminating namespace "shop" (will retry after 0s): ns gone',
      ),
    ],
    ['talosctl', 'Error', broken, giveUp('error when evicting pods/"l" -n "shop": boom')],
    ['talos-node', 'Accepted', accepted, wait],
    ['talos-node', 'PodGone', gone, done],
    ['talos-node', 'TooManyRequests', refused, retry(5, '')],
    [
      'talos-node',
      'ErrorLogged',
      broken,
      giveUp('WARNING: failed to evict pod: failed to evict pod shop/l: boom'),
    ],
    [
      'talos-node',
      'ErrorLogged',
      going,
      giveUp('WARNING: failed to evict pod: failed to evict pod shop/l: ns gone'),
    ],
    ['cluster-autoscaler', 'Accepted', accepted, wait],
    ['cluster-autoscaler', 'PodGone', gone, done],
    ['cluster-autoscaler', 'TooManyRequests', refused, retry(10, '')],
    ['cluster-autoscaler', 'ErrorRetried', broken, retry(10, '')],
    ['cluster-autoscaler', 'ErrorRetried', going, retry(10, '')],
    ['descheduler', 'Accepted', accepted, wait],
    ['descheduler', 'ErrorLogged', refused, giveUp('')],
    ['descheduler', 'ErrorLogged', broken, giveUp('')],
    ['capi', 'TooManyRequests', refused, retry(20, '')],
    ['capi', 'ErrorRetried', forbidden, retry(20, '')],
    ['workload-updater', 'TooManyRequests', refused, retry(60, '')],
  ])('%s: %s', (name, reason, answer, result) => {
    expect(step(DRAIN_CLIENTS[name], answer)).toEqual({
      reason,
      result,
      evidence: [
        { object: 'Pod shop/l', path: 'eviction.code', value: answer.code },
        { object: 'Pod shop/l', path: 'eviction.message', value: answer.message },
      ],
    });
  });

  it('waits for a pod that goes with its namespace', () => {
    const terminating = aPod('l').deleting().build();
    expect(step(DRAIN_CLIENTS.kubectl, going, terminating)).toMatchObject({
      reason: 'NamespaceTerminating',
      result: wait,
    });
    expect(step(DRAIN_CLIENTS.kubectl, forbidden, terminating).reason).toBe('Error');
    expect(step(DRAIN_CLIENTS['talos-node'], going, terminating).reason).toBe('ErrorLogged');
  });

  it('does not wait after a dry run', () => {
    const dry = {
      ...DRAIN_CLIENTS.kubectl,
      flags: { ...DRAIN_CLIENTS.kubectl.flags, dryRun: 'server' as const },
    };
    expect(step(dry, accepted)).toMatchObject({ reason: 'DryRunAccepted', result: done });
    expect(step(dry, refused).reason).toBe('TooManyRequests');
  });

  it('quotes names', () => {
    expect(step(DRAIN_CLIENTS.kubectl, broken, { metadata: { name: 'l' } }).result.says).toBe(
      'error when evicting pods/"l" -n "": boom',
    );
  });
});

describe('the time of a drain', () => {
  it.each`
    timeout      | elapsed    | up
    ${60}        | ${59.9}    | ${false}
    ${60}        | ${60}      | ${true}
    ${60}        | ${61}      | ${true}
    ${0}         | ${1000000} | ${false}
    ${undefined} | ${1000000} | ${false}
  `('of $timeout s after $elapsed s is up: $up', ({ timeout, elapsed, up }) => {
    expect(isTimeUp({ ...DRAIN_CLIENTS.kubectl, timeoutSeconds: timeout }, elapsed)).toBe(up);
  });

  it('is told as kubectl tells it', () => {
    const client = { ...DRAIN_CLIENTS.kubectl, timeoutSeconds: 100 };
    expect(tellTimeUp(client, pod)).toBe(
      'error when evicting pods/"l" -n "shop": global timeout reached: 1m40s',
    );
    expect(tellTimeUp(DRAIN_CLIENTS.kubectl, pod)).toBe(
      'error when evicting pods/"l" -n "shop": global timeout reached: 0s',
    );
  });
});

describe('waiting for an evicted pod', () => {
  const client = DRAIN_CLIENTS.kubectl;
  const now = 1_000_000_000_000;
  const look = (more: Partial<WaitLook>): WaitLook => ({
    client,
    evicted: pod,
    found: pod,
    now,
    waitedSeconds: 1,
    elapsedSeconds: 1,
    ...more,
  });
  const successor = aPod('l').meta({ uid: 'other' }).build();
  const old = aPod('l').deleting('2001-09-09T01:00:00Z').build();
  const skipping = { ...client, flags: { ...client.flags, skipWaitForDeleteTimeoutSeconds: 60 } };
  const slow = aPod('l').spec({ terminationGracePeriodSeconds: 90 }).build();
  const autoscaler = DRAIN_CLIENTS['cluster-autoscaler'];
  it.each<[string, string, Partial<WaitLook>, string]>([
    ['PodGone', 'nothing stands there', { found: undefined }, 'gone'],
    [
      'PodGone',
      'nothing stands where a pod without UID stood',
      { found: undefined, evicted: aPod().meta({ uid: undefined }).build() },
      'gone',
    ],
    ['PodGone', 'a successor stands there', { found: successor }, 'gone'],
    ['StillThere', 'it stands there', {}, 'wait'],
    ['StillThere', 'however long, without a limit', { waitedSeconds: 1e6, elapsedSeconds: 1e6 }, 'wait'],
    ['SkippedAsDeleted', 'it has been terminating for long', { client: skipping, found: old }, 'skip'],
    ['StillThere', 'it has been terminating for long, which does not matter', { found: old }, 'wait'],
    [
      'StillThere',
      'the drain has time left',
      { client: { ...client, timeoutSeconds: 10 }, elapsedSeconds: 9 },
      'wait',
    ],
    [
      'WaitIsOver',
      'the drain has none left',
      { client: { ...client, timeoutSeconds: 10 }, elapsedSeconds: 10 },
      'time-is-up',
    ],
    [
      'StillThere',
      'Talos waits for a minute',
      { client: DRAIN_CLIENTS['talos-node'], waitedSeconds: 59 },
      'wait',
    ],
    [
      'WaitIsOver',
      'Talos waits no longer',
      { client: DRAIN_CLIENTS['talos-node'], waitedSeconds: 60 },
      'time-is-up',
    ],
    [
      'WaitIsOver',
      'Talos has five minutes in all',
      { client: DRAIN_CLIENTS['talos-node'], elapsedSeconds: 300 },
      'time-is-up',
    ],
    [
      'StillThere',
      'the autoscaler waits beyond the grace period',
      { client: autoscaler, evicted: slow, found: slow, waitedSeconds: 119, elapsedSeconds: 230 },
      'wait',
    ],
    [
      'WaitIsOver',
      'and 30 seconds more',
      { client: autoscaler, evicted: slow, found: slow, waitedSeconds: 120 },
      'time-is-up',
    ],
  ])('%s: %s', (reason, _name, more, result) => {
    expect(decide(evictionWaitTable, look(more))).toMatchObject({ reason, result });
  });

  it('looks every second, at the UID', () => {
    expect(POLL_SECONDS).toBe(1);
    expect(decide(evictionWaitTable, look({ found: successor })).evidence).toEqual([
      { object: 'Pod shop/l', path: 'metadata.uid', value: 'other' },
    ]);
  });
});
