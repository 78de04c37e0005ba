import { describe, expect, it } from 'vitest';
import { aKubeVirt, aVm, aVmi } from '../../kubevirt/builders.ts';
import { aFleet, controlled, findingsOf, objectsFound } from './builders.ts';
import { runningAndRunStrategy, strategyNotInEffect } from './strategy-rules.ts';

const DB = 'VirtualMachineInstance shop/db';
const cluster = (evictionStrategy?: string) =>
  aKubeVirt().spec({ configuration: { evictionStrategy } }).build();
const stamped = (strategy: string, name = 'db') => controlled(aVmi(name).strategy(strategy).build());
const asking = (evictionStrategy?: string, name = 'db') => aVm(name).template({ evictionStrategy }).build();

describe('StrategyNotInEffect', () => {
  it.each([
    ['the cluster value of today', [cluster('LiveMigrate'), stamped('LiveMigrate'), asking()]],
    ['the value of its template', [cluster('None'), stamped('LiveMigrate'), asking('LiveMigrate')]],
    ['None where nobody sets one', [cluster(), stamped('None'), asking()]],
    ['no stamp of its own', [cluster('LiveMigrate'), controlled(aVmi('db').build()), asking()]],
    ['no VM', [cluster('LiveMigrate'), aVmi('db').strategy('None').build()]],
    ['a VM that is not in the input', [cluster('LiveMigrate'), stamped('None')]],
  ])('says nothing about a VMI with %s', (_, objects) => {
    expect(objectsFound(strategyNotInEffect, aFleet(...objects))).toEqual([]);
  });

  it('says nothing about VMIs that are gone or on their way', () => {
    const ended = controlled(aVmi('db').strategy('None').phase('Succeeded').build());
    const going = controlled(aVmi('web').strategy('None').deleting().build());
    const fleet = aFleet(cluster('LiveMigrate'), ended, asking(), going, asking(undefined, 'web'));
    expect(objectsFound(strategyNotInEffect, fleet)).toEqual([]);
  });

  it('finds the stamp of an older cluster value', () => {
    const fleet = aFleet(cluster('LiveMigrateIfPossible'), stamped('LiveMigrate'), asking());
    expect(findingsOf(strategyNotInEffect, fleet)).toMatchObject([
      {
        code: 'DRV012',
        severity: 'warning',
        objects: [DB],
        cause:
          "1 VMI was stamped with LiveMigrate; its VM names none, and the cluster's is LiveMigrateIfPossible by now. LiveMigrate counts until the VM has been restarted.",
        cure: 'Restart each VM once, at a time that suits it: `virtctl restart -n shop db`',
        evidence: [
          { object: DB, path: 'spec.evictionStrategy', value: 'LiveMigrate' },
          { object: 'VirtualMachine shop/db', path: 'spec.template.spec.evictionStrategy', value: undefined },
          {
            object: 'KubeVirt kubevirt/kubevirt',
            path: 'spec.configuration.evictionStrategy',
            value: 'LiveMigrateIfPossible',
          },
        ],
      },
    ]);
  });

  it('tells template edits from changes of the cluster, and one change from another', () => {
    const fleet = aFleet(
      cluster('External'),
      ...[stamped('None', 'a'), asking('External', 'a'), stamped('None', 'b'), asking('External', 'b')],
      ...[stamped('None', 'c'), asking(undefined, 'c'), stamped('LiveMigrate', 'd'), asking(undefined, 'd')],
    );
    const found = findingsOf(strategyNotInEffect, fleet);
    expect(found.map(({ objects }) => objects.join(' '))).toEqual([
      'VirtualMachineInstance shop/a VirtualMachineInstance shop/b',
      'VirtualMachineInstance shop/c',
      'VirtualMachineInstance shop/d',
    ]);
    expect(found[0]?.cause).toBe(
      '2 VMIs were stamped with None; the templates of their VMs say External by now. None counts until each VM has been restarted.',
    );
  });
});

describe('RunningAndRunStrategy', () => {
  it.each([
    ['runStrategy', aVm('db').runStrategy('Always').build()],
    ['running', aVm('db').running(true).build()],
    ['neither', aVm('db').runStrategy().build()],
  ])('accepts %s alone', (_, vm) => {
    expect(objectsFound(runningAndRunStrategy, aFleet(vm))).toEqual([]);
  });

  it.each([true, false])('finds running: %s beside a run strategy', (running) => {
    const fleet = aFleet(aVm('db').spec({ running }).build(), aVm('web').build());
    expect(findingsOf(runningAndRunStrategy, fleet)).toMatchObject([
      {
        code: 'DRV015',
        severity: 'error',
        objects: ['VirtualMachine shop/db'],
        cause:
          '1 VM sets both, so every change of it is refused with "Running and RunStrategy are mutually exclusive".',
        cure: 'Remove the old field: `kubectl patch vm -n shop db --type json -p \'[{"op":"remove","path":"/spec/running"}]\'`',
        evidence: [
          { object: 'VirtualMachine shop/db', path: 'spec.running', value: running },
          { object: 'VirtualMachine shop/db', path: 'spec.runStrategy', value: 'Always' },
        ],
      },
    ]);
  });
});
