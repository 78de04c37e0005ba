import type { VirtualMachine, Vmi } from '../../kubevirt/objects.ts';
import type { Instant } from '../../kubevirt/time.ts';

/** What the run-strategy step of the VM controller looks at. */
export interface RunStrategyInput {
  readonly vm: VirtualMachine;
  /** The VM's VMI; `undefined` when there is no such object. */
  readonly vmi: Vmi | undefined;
  /** As `resolveRunStrategy` gives it. */
  readonly strategy: string;
  readonly now: Instant;
}

export interface SyncError {
  readonly reason: 'FailedCreate' | 'FailedDelete';
  readonly message: string;
}

/** What the step decides. What it takes of API calls is `callsOf`'s business. */
export type RunStrategyAction =
  | { readonly do: 'Nothing' }
  | { readonly do: 'StartVmi' }
  | { readonly do: 'DeleteVmi'; readonly thenRequestStart: boolean }
  /** Turn a Halted VM to Always (`running: true`), because a start was asked for. */
  | { readonly do: 'SetAlways' }
  | { readonly do: 'LookAgain'; readonly afterSeconds: number }
  /** Go on in this pass as if the VM had another strategy; nothing is written. */
  | { readonly do: 'TakeStrategy'; readonly strategy: string }
  | { readonly do: 'Fail'; readonly error: SyncError };

export const NOTHING: RunStrategyAction = { do: 'Nothing' };

export function failToCreate(message: string): RunStrategyAction {
  return { do: 'Fail', error: { reason: 'FailedCreate', message } };
}
