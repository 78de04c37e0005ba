import { describe, expect, it } from 'vitest';
import { aPod } from '../../kubevirt/builders.ts';
import {
  DRAIN_CLIENTS,
  type DrainClientName,
  graceSeconds,
  KUBECTL_DEFAULT_FLAGS,
  KUBECTL_USUAL_FLAGS,
} from './clients.ts';

describe('the clients', () => {
  it.each`
    name                    | delay | timeout      | atTimeout                   | retriesAfter           | others     | cordons
    ${'kubectl'}            | ${5}  | ${undefined} | ${'fail'}                   | ${'too-many-requests'} | ${'error'} | ${true}
    ${'talos-node'}         | ${5}  | ${300}       | ${'continue-destructively'} | ${'too-many-requests'} | ${'log'}   | ${true}
    ${'talosctl'}           | ${0}  | ${300}       | ${'abort'}                  | ${'too-many-requests'} | ${'error'} | ${true}
    ${'cluster-autoscaler'} | ${10} | ${120}       | ${'abandon'}                | ${'any-error'}         | ${'error'} | ${true}
    ${'descheduler'}        | ${0}  | ${undefined} | ${'abandon'}                | ${'nothing'}           | ${'log'}   | ${false}
    ${'capi'}               | ${20} | ${undefined} | ${'continue-destructively'} | ${'any-error'}         | ${'error'} | ${true}
    ${'workload-updater'}   | ${60} | ${undefined} | ${'abandon'}                | ${'any-error'}         | ${'error'} | ${false}
  `('$name', ({ name, delay, timeout, atTimeout, retriesAfter, others, cordons }) => {
    const client = DRAIN_CLIENTS[name as DrainClientName];
    expect(client).toMatchObject({ name, retryDelaySeconds: delay, atTimeout, retriesAfter, cordons });
    expect(client.timeoutSeconds).toBe(timeout);
    expect(client.otherErrors).toBe(others);
  });

  it('are filed under their own names', () => {
    expect(Object.values(DRAIN_CLIENTS).map(({ name }) => name)).toEqual(Object.keys(DRAIN_CLIENTS));
  });

  it.each<[DrainClientName, string, string]>([
    ['kubectl', 'kubectl drain', 'the drain fails and the node stays cordoned'],
    [
      'talos-node',
      'Talos, on the node',
      'Talos goes on: it stops every pod that is left and reboots the node',
    ],
    ['talosctl', 'talosctl', 'talosctl gives up without rebooting the node, which stays cordoned'],
    ['cluster-autoscaler', 'cluster-autoscaler', 'the scale-down fails and the node is taken into use again'],
    ['descheduler', 'descheduler', 'it tries again in its next cycle'],
    [
      'capi',
      'Cluster API, deleting a Machine',
      'Cluster API goes on without the drain and deletes the machine',
    ],
    ['workload-updater', "KubeVirt's workload updater", 'the workload updater tries again in its next batch'],
  ])('%s, for people', (name, title, afterTimeout) => {
    expect(DRAIN_CLIENTS[name]).toMatchObject({ title, afterTimeout });
  });

  it('only the descheduler says who it is', () => {
    const telling = Object.values(DRAIN_CLIENTS).filter(
      ({ annotations }) => Object.keys(annotations).length > 0,
    );
    expect(telling.map(({ name, annotations }) => [name, annotations])).toEqual([
      ['descheduler', { 'requested-by': 'sigs.k8s.io/descheduler' }],
    ]);
  });

  it('the defaults of kubectl allow nothing; a node with VMs needs two flags; talosctl sets a third', () => {
    expect(KUBECTL_DEFAULT_FLAGS).toEqual({
      ignoreDaemonSets: false,
      deleteEmptyDirData: false,
      force: false,
      disableEviction: false,
      skipWaitForDeleteTimeoutSeconds: 0,
      dryRun: 'none',
    });
    expect(KUBECTL_USUAL_FLAGS).toEqual({
      ...KUBECTL_DEFAULT_FLAGS,
      ignoreDaemonSets: true,
      deleteEmptyDirData: true,
    });
    expect(DRAIN_CLIENTS.kubectl.flags).toEqual(KUBECTL_USUAL_FLAGS);
    expect(DRAIN_CLIENTS.talosctl.flags).toEqual({ ...KUBECTL_USUAL_FLAGS, force: true });
  });

  it('the autoscaler and the evictor protect what they protect by default', () => {
    expect(DRAIN_CLIENTS['cluster-autoscaler'].autoscaler).toEqual({
      skipNodesWithCustomControllerPods: true,
      skipNodesWithLocalStorage: true,
      skipNodesWithSystemPods: true,
    });
    expect(DRAIN_CLIENTS.descheduler.evictor).toEqual({
      protectLocalStorage: true,
      protectDaemonSets: true,
      protectSystemCritical: true,
      protectBarePods: true,
      protectPvcs: false,
      protectPodsWithoutBudget: false,
      noEvictionIsMandatory: false,
      nodeFit: false,
      evictsInBackground: false,
    });
  });
});

describe('the time that a pod gets to end', () => {
  it.each`
    name                    | own          | seconds
    ${'kubectl'}            | ${90}        | ${90}
    ${'kubectl'}            | ${undefined} | ${30}
    ${'kubectl'}            | ${0}         | ${0}
    ${'talos-node'}         | ${90}        | ${60}
    ${'talos-node'}         | ${10}        | ${60}
    ${'cluster-autoscaler'} | ${90}        | ${90}
    ${'cluster-autoscaler'} | ${3600}      | ${600}
    ${'cluster-autoscaler'} | ${undefined} | ${30}
    ${'talosctl'}           | ${3600}      | ${3600}
  `('$name gives a pod with $own s $seconds s', ({ name, own, seconds }) => {
    const pod = aPod().spec({ terminationGracePeriodSeconds: own }).build();
    expect(graceSeconds(DRAIN_CLIENTS[name as DrainClientName], pod)).toBe(seconds);
  });

  it('is 30 seconds for a pod without a spec', () => {
    expect(graceSeconds(DRAIN_CLIENTS.kubectl, { metadata: { name: 'p' } })).toBe(30);
  });

  it('is what the flag says', () => {
    expect(graceSeconds({ ...DRAIN_CLIENTS.kubectl, gracePeriodSeconds: 0 }, aPod().build())).toBe(0);
  });
});
