import { expect, it } from 'vitest';
import { aNode, aVmi } from '../kubevirt/builders.ts';
import { Fleet } from './fleet.ts';

/** A fleet and what a follower of its VMIs was told. */
function followed(fleet = new Fleet()) {
  const told: string[] = [];
  const tell = (what: string) => (vmi: ReturnType<ReturnType<typeof aVmi>['build']>) => {
    const held = fleet.get('VirtualMachineInstance', 'shop/db');
    told.push(`${what} ${vmi.status?.phase}, held: ${held?.status?.phase}`);
  };
  fleet.follow('VirtualMachineInstance', { add: tell('add'), delete: tell('delete') });
  return { fleet, told };
}

it('tells a follower first of what is held, then of each change, after the fleet knows it', () => {
  const before = new Fleet();
  before.apply('VirtualMachineInstance', aVmi().phase('Scheduled').build());
  const { fleet, told } = followed(before);
  fleet.apply('VirtualMachineInstance', aVmi().phase('Running').build());
  fleet.remove('VirtualMachineInstance', 'shop/db');
  expect(told).toEqual([
    'add Scheduled, held: Scheduled',
    'delete Scheduled, held: Running',
    'add Running, held: Running',
    'delete Running, held: undefined',
  ]);
});

it('tells nothing of other kinds, of unknown objects and of kinds without objects', () => {
  const { fleet, told } = followed();
  fleet.apply('Node', aNode().build());
  fleet.remove('VirtualMachineInstance', 'shop/db');
  fleet.noteKnown('VirtualMachineInstance');
  expect(told).toEqual([]);
});

it('keeps its own indexes beside followers, and tells several', () => {
  const { fleet, told } = followed();
  fleet.follow('VirtualMachineInstance', { add: () => told.push('second'), delete: () => {} });
  fleet.apply('VirtualMachineInstance', aVmi().on('n1').build());
  expect(told).toEqual(['add Running, held: Running', 'second']);
  expect(fleet.vmisOn('n1')).toHaveLength(1);
});

it('tells a follower that left nothing more, and goes on for others', () => {
  const { fleet, told } = followed();
  const leave = fleet.follow('VirtualMachineInstance', { add: () => told.push('gone'), delete: () => {} });
  leave();
  fleet.apply('VirtualMachineInstance', aVmi().on('n1').build());
  expect(told).toEqual(['add Running, held: Running']);
  expect(fleet.vmisOn('n1')).toHaveLength(1);
});
