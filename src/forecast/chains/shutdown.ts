import { type GuestEnd, guestEndTable } from '../../decide/guest-end.ts';
import type { Decision } from '../../decide/rules.ts';
import { type AfterEndResult, afterEndTable } from '../../decide/run-strategy/after-end.ts';
import type { VirtualMachine, Vmi } from '../../kubevirt/objects.ts';
import type { Context } from '../context.ts';
import { type Ending, unknown } from '../ending.ts';
import type { Trail } from '../trail.ts';
import { foreseeRestart } from './restart.ts';

/** How the launcher pod is taken away. */
export interface Shutdown {
  /** Shortened period that the caller of the eviction asks for; absent: the pod's own. */
  readonly podGraceSeconds?: number | undefined;
  /** Goes before the rest, a whole clause: `is evicted`. */
  readonly says: string;
}

/** Follows a guest that is shut down: how it may end, what the run strategy makes of each end, where it comes back. */
export function foreseeShutdown(context: Context, vmi: Vmi, trail: Trail, shutdown: Shutdown): Ending {
  const vm = context.fleet.vmOf(vmi);
  const pod = context.fleet.launcherPodOf(vmi);
  const stop = { vmi, pod, podGraceSeconds: shutdown.podGraceSeconds };
  const ends = trail.ask('guest shutdown', guestEndTable, stop, ({ result }) => tellEnds(result)).result;
  const branches = ends.map((end) => ({ end, after: askRunStrategy(trail, vm, vmi, end) }));
  const results = new Set(branches.map(({ after }) => after.result));
  if (results.has('Unknown')) return ownerUnknown(vmi, trail);
  if (results.size > 1) return dependsOnGuest(context, vmi, trail, shutdown, branches);
  const [branch] = branches;
  if (!branch) throw new Error(`guestEndTable gave no end for ${vmi.metadata.name}`);
  if (branch.after.result === 'StaysOff') return staysOff(branch.after.reason, shutdown.says, vmi);
  return foreseeRestart(context, vmi, trail, shutdown.says, branch.after);
}

function askRunStrategy(
  trail: Trail,
  vm: VirtualMachine | undefined,
  vmi: Vmi,
  { end }: GuestEnd,
): Decision<AfterEndResult> {
  const input = { vm, vmi, end };
  return trail.ask(`run strategy after ${end}`, afterEndTable, input, ({ result }) => AFTER_WORDS[result]);
}

const AFTER_WORDS: Record<AfterEndResult, string> = {
  Restarts: 'the VM is started again',
  StaysOff: 'nothing starts the VM again',
  Replaced: 'its controller makes another VMI in its place',
  Unknown: 'whoever decides is not in the input',
};

const HOW_WORDS: Record<GuestEnd['how'], string> = {
  PowersOff: 'powers off',
  Destroyed: 'is destroyed',
  Killed: 'is killed',
};

function tellEnds(ends: readonly GuestEnd[]): string {
  const told = ends.map(
    ({ how, end, withinSeconds }) => `${HOW_WORDS[how]} within ${withinSeconds} s: ${end}`,
  );
  return `the guest ${told.join(', or ')}`;
}

function ownerUnknown(vmi: Vmi, trail: Trail): Ending {
  return unknown(
    trail,
    `the VirtualMachine ${vmi.metadata.namespace}/${vmi.metadata.name}, whose run strategy decides,`,
    'Dump virtualmachines too.',
  );
}

interface Branch {
  readonly end: GuestEnd;
  readonly after: Decision<AfterEndResult>;
}

/** One end of the guest starts the VM again, the other does not; without a node for its launcher both leave it off. */
function dependsOnGuest(
  context: Context,
  vmi: Vmi,
  trail: Trail,
  { says: lead }: Shutdown,
  branches: readonly Branch[],
): Ending {
  const back = branches.find(({ after }) => after.result !== 'StaysOff');
  const restart = back && foreseeRestart(context, vmi, trail, lead, back.after);
  if (restart?.outcome === 'StaysOff') return restart;
  const once = WAIT_WORDS[restart?.reason ?? ''] ?? '';
  return {
    outcome: 'MayStayOff',
    reason: 'GuestDecides',
    says: `${lead} and shut down: it stays off if the guest powers off in time, and restarts if it does not${once}`,
    ...(once !== '' && { otherwise: ['Waits'] }),
    remedies: ['Start it again afterwards, or set runStrategy: Always before.', ...(restart?.remedies ?? [])],
  };
}

const WAIT_WORDS: Record<string, string> = {
  WaitsForRoom: ', as soon as a node has room for its launcher',
  WaitsForUncordon: ', as soon as a node that it fits on is uncordoned',
};

/** Why nothing starts a VM again, by the reason of the run strategy. */
export const STAYS_OFF_WORDS: Readonly<Record<string, string>> = {
  NothingOwnsTheVmi: 'no VM owns it, so it is gone for good',
  RunStrategyManual: 'nothing starts a Manual VM again',
  RunStrategyOnce: 'a Once VM is not started a second time',
  DeletionStaysOff: 'RerunOnFailure does not start a VM again whose VMI was deleted',
  CleanShutdownStaysOff: 'RerunOnFailure takes its end for a wanted shutdown',
  VirtualMachineDeleting: 'its VM is being deleted',
  RunStrategyInvalid: 'KubeVirt knows no such run strategy',
  RunStrategyHalted: 'run strategy Halted stops it anyway',
  RunStrategyWaitAsReceiver:
    'run strategy WaitAsReceiver starts no guest, it waits for one that another cluster sends',
  ManualRecoveryRequired: 'its VM refuses to start until someone recovers its volumes',
  VolumeMigrationCutShort:
    'its volume migration is cut short, and the VM then refuses to start until someone recovers it',
};

function staysOff(reason: string, lead: string, vmi: Vmi): Ending {
  const why = STAYS_OFF_WORDS[reason] ?? `of the run strategy rule ${reason}`;
  const { name, namespace } = vmi.metadata;
  return {
    outcome: 'StaysOff',
    reason,
    says: `${lead}, shut down and stays off: ${why}`,
    remedies: STAYS_OFF_REMEDIES[reason] ?? [
      `Start it again afterwards: virtctl start ${name} -n ${namespace}`,
    ],
  };
}

const STAYS_OFF_REMEDIES: Record<string, readonly string[]> = {
  NothingOwnsTheVmi: ['Make a VirtualMachine of it, or keep it off the list.'],
  VolumeMigrationCutShort: [
    'Let the volume migration finish, or withdraw it, before anything evicts this VM.',
  ],
};
