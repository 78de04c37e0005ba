import { describe, expect, it } from 'vitest';
import { aPod } from '../../kubevirt/builders.ts';
import type { Pod } from '../../kubevirt/objects.ts';
import { type DrainFlags, KUBECTL_USUAL_FLAGS } from './clients.ts';
import { isLongDeleted } from './kubectl-filters.ts';
import type { Selection } from './selection.ts';
import { bare, daemon, emptyDir, flags, judge, launcher, now } from './test-kubectl-filters.ts';

const silent = (selected: boolean): Selection => ({ selected, message: '', severity: 'none' });

const warned = (selected: boolean, message: string): Selection => ({
  selected,
  message,
  severity: 'warning',
});

const failed = (message: string): Selection => ({ selected: false, message, severity: 'error' });
const IGNORED = 'ignoring DaemonSet-managed Pods';
const DAEMON = 'DaemonSet-managed Pods (use --ignore-daemonsets to ignore)';
const STORAGE = 'Pods with local storage (use --delete-emptydir-data to override)';
const UNMANAGED = 'Pods that declare no controller (use --force to override)';
const FORCED = 'deleting Pods that declare no controller';

describe('kubectl drain', () => {
  it.each<[string, string, Pod, DrainFlags, Selection]>([
    ['Selected', 'a launcher without local storage', launcher().build(), flags(), silent(true)],
    ['LocalStorage', 'a launcher as it is', launcher().spec(emptyDir).build(), flags(), failed(STORAGE)],
    [
      'Selected',
      'a launcher with the usual flags',
      launcher().spec(emptyDir).build(),
      KUBECTL_USUAL_FLAGS,
      silent(true),
    ],
    [
      'Selected',
      'a finished launcher',
      launcher().spec(emptyDir).phase('Succeeded').build(),
      flags(),
      silent(true),
    ],
    [
      'Selected',
      'a failed launcher',
      launcher().spec(emptyDir).phase('Failed').build(),
      flags(),
      silent(true),
    ],
    ['DaemonSetPod', 'virt-handler', daemon().build(), flags(), failed(DAEMON)],
    [
      'DaemonSetPod',
      'virt-handler, whatever else is allowed',
      daemon().build(),
      flags({ force: true, deleteEmptyDirData: true }),
      failed(DAEMON),
    ],
    [
      'DaemonSetPodIgnored',
      'virt-handler, ignored',
      daemon().build(),
      flags({ ignoreDaemonSets: true }),
      warned(false, IGNORED),
    ],
    [
      'DaemonSetPodIgnored',
      "a DaemonSet's pod with local storage, ignored",
      daemon().spec(emptyDir).build(),
      flags({ ignoreDaemonSets: true }),
      warned(false, IGNORED),
    ],
    ['Selected', 'a finished pod of a DaemonSet', daemon().phase('Succeeded').build(), flags(), silent(true)],
    [
      'DaemonSetMissing',
      'an orphan of a DaemonSet',
      daemon('gone').build(),
      flags({ ignoreDaemonSets: true }),
      failed('daemonsets.apps "gone" not found'),
    ],
    [
      'Selected',
      'an orphan of a DaemonSet, forced, its warning lost',
      daemon('gone').build(),
      flags({ force: true }),
      silent(true),
    ],
    [
      'LocalStorage',
      'an orphan of a DaemonSet, forced, with local storage',
      daemon('gone').spec(emptyDir).build(),
      flags({ force: true }),
      failed(STORAGE),
    ],
    [
      'Selected',
      'a finished orphan of a DaemonSet',
      daemon('gone').phase('Failed').build(),
      flags(),
      silent(true),
    ],
    [
      'MirrorPod',
      'a mirror pod',
      bare().annotated('kubernetes.io/config.mirror', '').spec(emptyDir).build(),
      flags(),
      silent(false),
    ],
    ['NoController', 'a bare pod', bare().build(), flags(), failed(UNMANAGED)],
    [
      'NoControllerForced',
      'a bare pod, forced',
      bare().build(),
      flags({ force: true }),
      warned(true, FORCED),
    ],
    [
      'LocalStorage',
      'a bare pod with local storage, forced',
      bare().spec(emptyDir).build(),
      flags({ force: true }),
      failed(STORAGE),
    ],
    ['Selected', 'a finished bare pod', bare().phase('Succeeded').build(), flags(), silent(true)],
    [
      'NoController',
      'an owner that is no controller',
      bare()
        .meta({ ownerReferences: [{ kind: 'Job', name: 'j' }] })
        .build(),
      flags(),
      failed(UNMANAGED),
    ],
    [
      'Selected',
      'an attachment pod, owned by its launcher',
      aPod('hp').ownedBy('Pod', 'l').build(),
      flags(),
      silent(true),
    ],
    [
      'Selected',
      'a pod without a spec',
      { metadata: { name: 'x', ownerReferences: [{ kind: 'Job', name: 'j', controller: true }] } },
      flags(),
      silent(true),
    ],
    [
      'NotListed',
      'a pod that the selector leaves out',
      daemon().build(),
      flags({ podSelector: { matchLabels: { 'kubevirt.io': 'virt-launcher' } } }),
      silent(false),
    ],
    [
      'Selected',
      'a pod that the selector takes',
      launcher().build(),
      flags({ podSelector: { matchLabels: { 'kubevirt.io': 'virt-launcher' } } }),
      silent(true),
    ],
    [
      'SkippedAsDeleted',
      'a pod long deleted',
      daemon().deleting('2026-03-01T11:58:59Z').build(),
      flags({ skipWaitForDeleteTimeoutSeconds: 60 }),
      silent(false),
    ],
  ])('%s: %s', (reason, _name, pod, given, selection) => {
    const { reason: decided, result } = judge(pod, given);
    expect([decided, result]).toEqual([reason, selection]);
  });

  it('takes DaemonSets that the input does not list as there', () => {
    expect(judge(daemon('gone').build(), flags(), { now }).reason).toBe('DaemonSetPod');
    expect(judge(daemon('gone').build(), flags(), { now, knowsDaemonSets: true }).reason).toBe(
      'DaemonSetMissing',
    );
  });

  it("looks for the DaemonSet in the pod's namespace", () => {
    expect(judge(aPod('d', 'web').ownedBy('DaemonSet', 'ds').build()).reason).toBe('DaemonSetMissing');
  });
});

describe('a pod long deleted', () => {
  it.each`
    deleted                       | limit | is       | why
    ${undefined}                  | ${60} | ${false} | ${'not deleted'}
    ${'2026-03-01T11:59:00Z'}     | ${60} | ${false} | ${'exactly the limit'}
    ${'2026-03-01T11:58:59.001Z'} | ${60} | ${false} | ${'whole seconds count'}
    ${'2026-03-01T11:58:59Z'}     | ${60} | ${true}  | ${'more than the limit'}
    ${'2026-03-01T11:00:00Z'}     | ${0}  | ${false} | ${'no limit'}
    ${'2026-03-01T12:30:00Z'}     | ${1}  | ${false} | ${'its grace period is not over'}
  `('$deleted with limit $limit: $is ($why)', ({ deleted, limit, is }) => {
    expect(isLongDeleted(bare().meta({ deletionTimestamp: deleted }).build(), limit, now)).toBe(is);
  });
});
