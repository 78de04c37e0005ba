import { describe, expect, it } from 'vitest';
import { aVm, aVmi } from '../../kubevirt/builders.ts';
import type { KubevirtMachine, Machine, MachineHealthCheck } from '../../kubevirt/objects.ts';
import { aFleet, findingsOf, objectsFound } from './builders.ts';
import { externalWithoutController, healthCheckNeverActs, workerStaysFailed } from './external-rules.ts';

const machine = (name: string, failureReason?: string): KubevirtMachine => ({
  kind: 'KubevirtMachine',
  metadata: { name, namespace: 'shop', ownerReferences: [{ kind: 'Machine', name: `${name}-machine` }] },
  status: failureReason === undefined ? {} : { failureReason, failureMessage: 'marked for eviction' },
});
const worker = (name = 'worker') => aVmi(name).on('n1').strategy('External');

describe('ExternalWithoutController', () => {
  const WORKER = 'VirtualMachineInstance shop/worker';

  it.each([
    ['a worker with its machine', [worker().build(), machine('worker')]],
    ['another strategy', [aVmi('worker').strategy('LiveMigrate').build()]],
  ])('says nothing about %s', (_, objects) => {
    expect(objectsFound(externalWithoutController, aFleet(...objects))).toEqual([]);
  });

  it('finds a worker that nobody looks after', () => {
    expect(findingsOf(externalWithoutController, aFleet(worker().build(), machine('other')))).toMatchObject([
      {
        code: 'DRV031',
        severity: 'warning',
        objects: [WORKER],
        cause:
          '1 VMI has strategy External, and no KubevirtMachine has its name: a drain waits until somebody moves or deletes it.',
        cure:
          'Make sure that a controller acts on evictions (`kubectl get kubevirtmachines -A`), or let KubeVirt do it from the next start on: ' +
          '`kubectl patch vm -n shop worker --type merge -p \'{"spec":{"template":{"spec":{"evictionStrategy":"LiveMigrateIfPossible"}}}}\'`',
        evidence: [
          { object: WORKER, path: 'spec.evictionStrategy', value: 'External' },
          { object: WORKER, path: 'status.evacuationNodeName', value: undefined },
        ],
      },
    ]);
  });

  it.each([
    [['a'], '1 that is marked now'],
    [['a', 'b'], '2 that are marked now'],
  ])('counts those that wait already: %j', (marked, told) => {
    const vmis = ['a', 'b', 'c'].map((name) =>
      (marked.includes(name) ? worker(name).marked() : worker(name)).build(),
    );
    expect(findingsOf(externalWithoutController, aFleet(...vmis))[0]?.cause).toBe(
      `3 VMIs have strategy External, and no KubevirtMachine has their names: a drain waits until somebody moves or deletes them, as it does for the ${told}.`,
    );
  });

  it('believes what it is told about the controller', () => {
    const fleet = aFleet(worker().build(), worker('served').build(), machine('served'));
    expect(objectsFound(externalWithoutController, fleet, { external: 'capk-backport' })).toEqual([]);
    expect(objectsFound(externalWithoutController, fleet, { external: 'none' })).toEqual([
      ['VirtualMachineInstance shop/served', WORKER],
    ]);
  });
});

describe('WorkerStaysFailed', () => {
  const vm = aVm('worker').build();

  it.each([
    ['a machine without failure', [machine('worker'), worker().build(), vm]],
    ['an empty reason', [machine('worker', ''), worker().build(), vm]],
    [
      'a VMI that is marked and cannot migrate',
      [machine('worker', 'UpdateError'), worker().marked().build(), vm],
    ],
    [
      'a VMI that is not back yet',
      [machine('worker', 'UpdateError'), worker().phase('Scheduling').build(), vm],
    ],
    ['a machine without VMI', [machine('worker', 'UpdateError'), vm]],
  ])('says nothing about %s', (_, objects) => {
    expect(objectsFound(workerStaysFailed, aFleet(...objects))).toEqual([]);
  });

  it('finds a machine whose VM runs again', () => {
    const fleet = aFleet(machine('worker', 'UpdateError'), worker().build(), vm);
    const WORKER = 'KubevirtMachine shop/worker';
    expect(findingsOf(workerStaysFailed, fleet)).toMatchObject([
      {
        code: 'DRV032',
        objects: [WORKER],
        cause:
          '1 KubevirtMachine carries failureReason UpdateError although its VM runs and nothing is wrong with it now (shop/worker: marked for eviction).',
        cure: 'Replace the worker at a time that suits, by deleting its Machine: `kubectl delete machine -n shop worker-machine`',
        evidence: [
          { object: WORKER, path: 'status.failureReason', value: 'UpdateError' },
          { object: WORKER, path: 'status.failureMessage', value: 'marked for eviction' },
        ],
      },
    ]);
  });

  it('speaks of several, and names the machine itself where no owner is known', () => {
    const orphan = {
      ...machine('b', 'UpdateError'),
      metadata: { name: 'a', namespace: 'shop' },
      status: { failureReason: 'X' },
    };
    const fleet = aFleet(
      machine('b', 'UpdateError'),
      orphan,
      ...['a', 'b'].flatMap((name) => [worker(name).build(), aVm(name).build()]),
    );
    const [finding] = findingsOf(workerStaysFailed, fleet);
    expect(finding?.cause).toBe(
      '2 KubevirtMachines carry failureReason X although their VMs run and nothing is wrong with them now (shop/a: no message).',
    );
    expect(finding?.cure).toMatch(/`kubectl delete machine -n shop a`$/);
  });
});

describe('HealthCheckNeverActs', () => {
  const POOL = 'MachineHealthCheck shop/pool';
  const check = (maxUnhealthy?: number | string): MachineHealthCheck => ({
    kind: 'MachineHealthCheck',
    metadata: { name: 'pool', namespace: 'shop' },
    spec: { clusterName: 'guest', selector: { matchLabels: { pool: 'a' } }, maxUnhealthy },
  });
  const inPool = (name: string, pool = 'a', kind = 'KubevirtMachine', namespace = 'shop'): Machine => ({
    kind: 'Machine',
    metadata: { name, namespace, labels: { pool, 'cluster.x-k8s.io/cluster-name': 'guest' } },
    spec: { clusterName: 'guest', infrastructureRef: { kind, name } },
  });

  it.each([
    ['half of two', [check('50%'), inPool('a'), inPool('b')]],
    ['everything, where nothing is set', [check(), inPool('a')]],
    ['a number', [check(1), inPool('a')]],
    ['a zero that is meant', [check(0), inPool('a')]],
    ['a zero that is meant, in percent', [check('0%'), inPool('a')]],
    ['half of nothing', [check('50%'), inPool('a', 'b')]],
    ['machines of other clouds', [check('50%'), inPool('a', 'a', 'MetalMachine')]],
    ['machines of other namespaces', [check('50%'), inPool('a', 'a', 'KubevirtMachine', 'other')]],
  ])('says nothing about %s', (_, objects) => {
    expect(objectsFound(healthCheckNeverActs, aFleet(...objects))).toEqual([]);
  });

  it.each([
    ['50%', '1 machine that comes to 0'],
    ['many', '1 machine that comes to nothing'],
  ])('finds %s of one', (maxUnhealthy, arithmetic) => {
    expect(findingsOf(healthCheckNeverActs, aFleet(check(maxUnhealthy), inPool('a')))).toMatchObject([
      {
        code: 'DRV033',
        severity: 'warning',
        objects: [POOL],
        cause: `1 health check replaces no machine at all: maxUnhealthy of shop/pool is ${maxUnhealthy}, of ${arithmetic}.`,
        cure: `Allow one at least, or give the group a second machine: \`kubectl patch machinehealthcheck -n shop pool --type merge -p '{"spec":{"maxUnhealthy":1}}'\``,
        evidence: [{ object: POOL, path: 'spec.maxUnhealthy', value: maxUnhealthy }],
      },
    ]);
  });
});
