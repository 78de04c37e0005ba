import type { Fleet, Kind } from '../../fleet/fleet.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import { controllerOf, isLauncherPod, isPodFinished, isRunning } from '../../kubevirt/predicates.ts';
import { counted } from '../../kubevirt/words.ts';
import { ScenarioError } from '../../scenario/errors.ts';

/** Throws a `ScenarioError` for a snapshot that lacks a kind which others in it cannot be without: they would be played as falling. */
export function checkSnapshot(fleet: Fleet): void {
  for (const { who, kinds, count } of NOT_WITHOUT) {
    const lacking = kinds.filter((kind) => fleet.count(kind) === 0);
    const concerned = lacking.length > 0 ? count(fleet) : 0;
    if (concerned === 0) continue;
    const what = `${who(concerned)} in the snapshot, but it has no ${lacking.join(' and no ')}`;
    throw new ScenarioError('SnapshotIncomplete', what);
  }
}

interface Need {
  readonly who: (count: number) => string;
  readonly count: (fleet: Fleet) => number;
  readonly kinds: readonly Kind[];
}

const NOT_WITHOUT: readonly Need[] = [
  {
    who: (count) => `${counted(count, 'VMI')} ${count === 1 ? 'runs' : 'run'}`,
    count: (fleet) => countOf(fleet.all('VirtualMachineInstance'), isRunning),
    kinds: ['Node', 'Pod'],
  },
  {
    who: (count) => `${counted(count, 'VMI')} of a VM ${count === 1 ? 'is' : 'are'}`,
    count: (fleet) => countOf(fleet.all('VirtualMachineInstance'), isOfVm),
    kinds: ['VirtualMachine'],
  },
  {
    who: (count) => `${counted(count, 'launcher')} ${count === 1 ? 'runs' : 'run'}`,
    count: (fleet) => countOf(fleet.all('Pod'), (pod) => isLauncherPod(pod) && !isPodFinished(pod)),
    kinds: ['VirtualMachineInstance'],
  },
];

function isOfVm({ metadata }: Vmi): boolean {
  return controllerOf(metadata)?.kind === 'VirtualMachine';
}

function countOf<T>(objects: Iterable<T>, holds: (object: T) => boolean): number {
  return [...objects].filter(holds).length;
}
