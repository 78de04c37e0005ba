import { expect, it } from 'vitest';
import { clusterObjects, type RawObject } from '../../scenario/cluster.ts';
import type { ScenarioVm } from '../../scenario/schema.ts';
import { planDrain } from '../plans/drain.ts';
import { planUpgrade } from '../plans/upgrade.ts';
import { DRAIN_DEFAULTS } from '../questions.ts';
import { fleetOf } from '../test-clusters.ts';

/** A worker of CAPK whose guest is not there yet: the VMI names no node, is not Ready and has no address. */
function fleetOfStarting() {
  const vm: ScenarioVm = {
    ...{ name: 'a', node: 'n1', migratable: 'No', strategy: 'External' },
    ...{ phase: 'Scheduling', launcher: '' },
  };
  const machine: RawObject = { apiVersion: 'v1alpha1', kind: 'KubevirtMachine', metadata: { name: 'a' } };
  const kubevirt = { methods: ['Evict' as const] };
  const objects = clusterObjects({ kubevirt, nodes: ['n1', 'n2'], vms: [vm], objects: [machine] });
  for (const { kind, status } of objects as { kind?: string; status?: { conditions: object[] } }[]) {
    if (kind !== 'VirtualMachineInstance') continue;
    status?.conditions.push({ type: 'Ready', status: 'False' });
    Object.assign(status ?? {}, { interfaces: [{ name: 'default' }] });
  }
  return fleetOf(objects);
}

const MET = 'it is handed over to CAPK, which marks';

it('a VM that is starting is evicted by an upgrade as it is once it runs', () => {
  const { vms } = planUpgrade(
    fleetOfStarting(),
    { launcherImage: 'L2' },
    { now: 0, external: 'capk-v0.1.10' },
  ).status;
  expect(vms[0]?.message).toContain(`once it runs, ${MET}`);
});

it('and by a drain', () => {
  const question = { ...DRAIN_DEFAULTS, nodes: ['n1'] };
  const { vms } = planDrain(fleetOfStarting(), question, { now: 0, external: 'capk-v0.1.10' }).status;
  expect(vms[0]?.message).toContain(`its launcher is met like any other, and ${MET}`);
});
