import { describe, expect, it } from 'vitest';
import { aWorker, aWorkerVm } from '../../kubevirt/cluster-api/builders.ts';
import type { VirtualMachine, Vmi } from '../../kubevirt/objects.ts';
import { decide, type Evidence } from '../rules.ts';
import { type CapkTerminal, capkTerminalTable, TERMINAL_REASON } from './capk-terminal.ts';

const LABEL = 'capk.cluster.x-k8s.io/vm-is-terminal';
const MARKED: CapkTerminal = {
  terminal: true,
  message: "The Machine's VM pod is marked for eviction due to infra node drain.",
};
const FINAL: CapkTerminal = { terminal: true, message: 'VMI has reached a permanent finalized state' };
const ALIVE: CapkTerminal = { terminal: false };
const labelled = (what: string): CapkTerminal => ({
  terminal: true,
  message: `${what}'s ${LABEL} label has the vm marked as being terminal with reason [gone]`,
});
const always = aWorkerVm().build();
const running = () => aWorker().status({ evacuationNodeName: undefined });
const VMI = 'VirtualMachineInstance shop/w1';
const VM = 'VirtualMachine shop/w1';
const strategy = (value: string): Evidence => ({ object: VM, path: 'spec.runStrategy', value });
const phase = (value: string): Evidence => ({ object: VMI, path: 'status.phase', value });
const mark = (condition: string | undefined): Evidence[] => [
  { object: VMI, path: 'status.evacuationNodeName', value: 'n1' },
  { object: VMI, path: 'status.conditions[type=LiveMigratable]', value: condition },
];

describe('CAPK gives a machine up', () => {
  it.each<[string, string, VirtualMachine | undefined, Vmi | undefined, CapkTerminal, Evidence[]]>([
    ['NoVmYet', 'no VM', undefined, aWorker('False').build(), ALIVE, []],
    ['NoVmYet', 'no VMI', always, undefined, ALIVE, []],
    [
      'MarkedAndNotMigratable',
      'marked and not migratable',
      always,
      aWorker('False').build(),
      MARKED,
      mark('False'),
    ],
    [
      'MarkedAndNotMigratable',
      'marked, and nothing says that it is migratable',
      always,
      aWorker().build(),
      MARKED,
      mark(undefined),
    ],
    [
      'MarkedAndNotMigratable',
      'whatever the strategy',
      always,
      aWorker('False').strategy('LiveMigrate').build(),
      MARKED,
      mark('False'),
    ],
    [
      'MarkedAndNotMigratable',
      'before any label',
      aWorkerVm().labelled(LABEL, 'gone').build(),
      aWorker().build(),
      MARKED,
      mark(undefined),
    ],
    ['StartsAgain', 'marked and migratable', always, aWorker('True').build(), ALIVE, [strategy('Always')]],
    ['StartsAgain', 'not marked', always, running().build(), ALIVE, [strategy('Always')]],
    [
      'StartsAgain',
      'marked but ended',
      always,
      aWorker('False').phase('Failed').build(),
      ALIVE,
      [strategy('Always')],
    ],
    [
      'VmLabelledTerminal',
      'a label of the VM',
      aWorkerVm().labelled(LABEL, 'gone').build(),
      running().build(),
      labelled('VM'),
      [{ object: VM, path: `metadata.labels[${LABEL}]`, value: 'gone' }],
    ],
    [
      'VmiLabelledTerminal',
      'a label of the VMI',
      always,
      running().labelled(LABEL, 'gone').build(),
      labelled('VMI'),
      [{ object: VMI, path: `metadata.labels[${LABEL}]`, value: 'gone' }],
    ],
    [
      'StartsAgain',
      'ended, Always',
      always,
      running().phase('Succeeded').build(),
      ALIVE,
      [strategy('Always')],
    ],
    [
      'StartsAgain',
      'ended, Manual',
      aWorkerVm().runStrategy('Manual').build(),
      running().phase('Succeeded').build(),
      ALIVE,
      [strategy('Manual')],
    ],
    [
      'EndedForGood',
      'ended, Halted',
      aWorkerVm().runStrategy('Halted').build(),
      running().phase('Failed').build(),
      FINAL,
      [strategy('Halted'), phase('Failed')],
    ],
    [
      'EndedForGood',
      'ended, Once',
      aWorkerVm().runStrategy('Once').build(),
      running().phase('Succeeded').build(),
      FINAL,
      [strategy('Once'), phase('Succeeded')],
    ],
    [
      'NotTerminal',
      'running, Once',
      aWorkerVm().runStrategy('Once').build(),
      running().build(),
      ALIVE,
      [strategy('Once'), phase('Running')],
    ],
    [
      'SucceededForGood',
      'succeeded, RerunOnFailure',
      aWorkerVm().runStrategy('RerunOnFailure').build(),
      running().phase('Succeeded').build(),
      FINAL,
      [strategy('RerunOnFailure'), phase('Succeeded')],
    ],
    [
      'NotTerminal',
      'failed, RerunOnFailure',
      aWorkerVm().runStrategy('RerunOnFailure').build(),
      running().phase('Failed').build(),
      ALIVE,
      [strategy('RerunOnFailure'), phase('Failed')],
    ],
    [
      'StartsAgain',
      'the deprecated way to run',
      aWorkerVm().running(true).build(),
      running().phase('Failed').build(),
      ALIVE,
      [{ object: VM, path: 'spec.running', value: true }],
    ],
  ])('%s: %s', (reason, _name, vm, vmi, result, evidence) => {
    expect(decide(capkTerminalTable, { vm, vmi })).toEqual({ reason, result, evidence });
  });

  it('with this failure reason', () => {
    expect(TERMINAL_REASON).toBe('UpdateError');
  });

  it('by rules that read nothing of what is not there', () => {
    for (const { reads } of capkTerminalTable) expect(reads({ vm: undefined, vmi: undefined })).toEqual([]);
  });
});
