import { describe, expect, it } from 'vitest';
import type { Pod, VirtualMachine, Vmi, VmiSpec } from '../kubevirt/objects.ts';
import { domainPhaseTable } from './domain-phase.ts';
import { guestEndTable } from './guest-end.ts';
import { EDIT_PATHS, type EditPath } from './live-edit/edit.ts';
import { liveEditTable } from './live-edit/live-edit.ts';
import { liveMigratableTable, storageLiveMigratableCondition } from './migratability/live-migratable.ts';
import { updateMigratability } from './migratability/status-update.ts';
import { printableStatusTable } from './printable-status.ts';
import type { Table } from './rules.ts';
import { afterEndTable } from './run-strategy/after-end.ts';
import { callsOf } from './run-strategy/calls.ts';
import { beginPass } from './run-strategy/pass.ts';
import { isSetToStart } from './run-strategy/requests.ts';
import { withVmiTable } from './run-strategy/with-vmi.ts';
import { withoutVmiTable } from './run-strategy/without-vmi.ts';
import { startFailureAfter } from './start-backoff.ts';

/** A dump may hold objects with almost nothing in them; every rule must be able to look at them. */
const metadata = { name: 'db' };

const SPECS: readonly (VmiSpec | undefined)[] = [
  undefined,
  {},
  { domain: {} },
  { domain: { cpu: {}, memory: {}, devices: {}, features: {}, launchSecurity: {} } },
  {
    domain: {
      cpu: { model: 'host-model', features: [] },
      features: { acpi: {}, hyperv: {}, hypervPassthrough: {} },
    },
  },
  { domain: { cpu: { numa: {} }, memory: { guest: '1Gi', maxGuest: '2Gi', hugepages: {} } } },
  {
    networks: [{ name: 'default', pod: {} }],
    domain: { devices: { interfaces: [{ name: 'default', binding: {} }] } },
  },
  { volumes: [{ name: 'a' }, { name: 'b', hostDisk: {} }, { name: 'c', dataVolume: { name: 'c' } }] },
  { domain: { devices: { disks: [{ name: 'a' }, { name: 'b', lun: {} }], gpus: [{}] } } },
];

const STATUSES: readonly Vmi['status'][] = [
  undefined,
  {},
  { phase: 'Running' },
  {
    phase: 'Running',
    migrationState: {},
    memory: {},
    topologyHints: {},
    volumeStatus: [{ name: 'b' }],
    conditions: [],
  },
  { phase: 'Scheduled' },
  { phase: 'Failed' },
];

const VMIS: readonly Vmi[] = SPECS.flatMap((spec) => STATUSES.map((status) => ({ metadata, spec, status })));

const VMS: readonly VirtualMachine[] = [
  { metadata },
  { metadata, spec: {}, status: {} },
  { metadata, spec: { template: {} }, status: { stateChangeRequests: [], startFailure: {}, conditions: [] } },
  ...SPECS.map((spec) => ({ metadata, spec: { runStrategy: 'Always', template: { spec } } })),
  { metadata, spec: { running: false }, status: {} },
];

const PODS: readonly (Pod | undefined)[] = [undefined, { metadata }, { metadata, spec: {} }];
const STRATEGIES = ['Always', 'RerunOnFailure', 'Manual', 'Halted', 'Once', 'WaitAsReceiver', 'Bogus'];
const ENDS = ['Succeeded', 'Failed', 'Deleted'] as const;

/** Asks every rule, not only those up to the first that holds. Gives how many held. */
function askAll<Input, Result>(table: Table<Input, Result>, input: Input): number {
  return table.filter((rule) => {
    const holds = rule.when(input);
    if (!Array.isArray(rule.reads(input))) throw new Error(`${rule.name} reads no list`);
    if (holds && rule.then(input) === undefined) throw new Error(`${rule.name} has no result`);
    return holds;
  }).length;
}

/** The last rule always holds, so at least one does. */
function expectAnswer<Input, Result>(table: Table<Input, Result>, input: Input): void {
  if (askAll(table, input) === 0) expect.fail('a table is incomplete');
}

describe('objects with almost nothing in them', () => {
  it('can be asked how they end', () => {
    for (const vmi of VMIS) {
      for (const pod of PODS) expectAnswer(guestEndTable, { vmi, pod });
      for (const domain of [undefined, { state: 'Shutoff' }, { state: 'Shutoff', reason: 'Destroyed' }]) {
        expectAnswer(domainPhaseTable, { vmi, domain });
      }
    }
  });

  it('can be asked what follows their end', () => {
    for (const vmi of VMIS) {
      for (const vm of VMS) for (const end of ENDS) expectAnswer(afterEndTable, { vm, vmi, end });
    }
  });

  it('can be asked what their run strategy demands', () => {
    for (const vm of VMS) {
      for (const strategy of STRATEGIES) {
        expectAnswer(withoutVmiTable, { vm, strategy, now: 0 });
        for (const vmi of VMIS) expectAnswer(withVmiTable, { vm, vmi, strategy });
        expect(isSetToStart(vm, VMIS[0], strategy)).toBeTypeOf('boolean');
      }
    }
  });

  it('can be started', () => {
    for (const vm of VMS) {
      expect(callsOf({ do: 'StartVmi' }, vm, {})).toHaveLength(2);
      expect(callsOf({ do: 'SetAlways' }, vm, {})).toHaveLength(1);
      expect(beginPass(vm, { do: 'StartVmi' }).vm.metadata).toBe(metadata);
      for (const vmi of VMIS) expect(startFailureAfter(vm, vmi, 0, 0)?.consecutiveFailCount).not.toBe(0);
    }
  });

  it('can be asked whether they can migrate', () => {
    for (const vmi of VMIS) {
      for (const configuration of [
        undefined,
        {},
        { network: {}, developerConfiguration: {}, permittedHostDevices: {} },
      ]) {
        expectAnswer(liveMigratableTable, { vmi, configuration });
        expect(storageLiveMigratableCondition({ vmi, configuration }).status).toMatch(/True|False/);
        expect(updateMigratability({ vmi, configuration }).conditions).toHaveLength(2);
      }
    }
  });

  it('can be asked what their status is', () => {
    for (const vm of VMS) {
      expectAnswer(printableStatusTable, { vm, vmi: undefined, now: 0 });
      for (const vmi of VMIS) expectAnswer(printableStatusTable, { vm, vmi, now: 0 });
    }
  });

  const VALUES: Partial<Record<EditPath, unknown>> = { 'cpu.sockets': 2, 'memory.guest': '2Gi' };

  it.each(EDIT_PATHS)('can be asked what an edit of %s does', (path) => {
    for (const vm of VMS) {
      for (const vmi of VMIS) {
        const edit = { path, value: VALUES[path] };
        expectAnswer(liveEditTable(path), { vm, vmi, edit, rolloutStrategy: 'LiveUpdate', now: 0 });
      }
    }
  });
});
