import type { ApiResult } from '../../../decide/api-result.ts';
import { isNotFound } from '../../../decide/api-result.ts';
import type { Behavior } from '../../../decide/rules.ts';
import type { RunStrategyAction } from '../../../decide/run-strategy/action.ts';
import { callsOf, type VmCall } from '../../../decide/run-strategy/calls.ts';
import { beginPass, noteCall, type RunStrategyPass } from '../../../decide/run-strategy/pass.ts';
import { objectAt } from '../../../kubevirt/json.ts';
import type { VirtualMachine, Vmi } from '../../../kubevirt/objects.ts';
import { keyOf } from '../../../kubevirt/predicates.ts';
import type { ActorContext } from '../actor.ts';
import { readWhole } from '../read-whole.ts';

const VM = 'VirtualMachine';
const VMI = 'VirtualMachineInstance';

/** What one pass works on. */
export interface VmPass {
  readonly vm: VirtualMachine;
  readonly vmi: Vmi | undefined;
}

/**
 * Carries out what the run strategy demands, call after call until one fails, and says how it went. Revisions of VMs are not kept.
 */
export async function carryOutAction(
  { cluster }: ActorContext,
  { vm, vmi }: VmPass,
  action: RunStrategyAction,
  behavior: Behavior,
): Promise<RunStrategyPass> {
  let pass = beginPass(vm, action);
  for (const call of await callsFor(cluster, vm, action)) {
    if (call.action === 'createControllerRevision') continue;
    const result = await carryOut(cluster, vm, vmi, call);
    pass = noteCall(pass, call, result.ok ? {} : { error: result.message }, vmi, behavior);
    if (!result.ok) break;
  }
  return pass;
}

/** Only a start needs the template with all its fields. */
async function callsFor(
  cluster: ActorContext['cluster'],
  vm: VirtualMachine,
  action: RunStrategyAction,
): Promise<readonly VmCall[]> {
  if (action.do !== 'StartVmi') return callsOf(action, vm, {});
  const whole = await readWhole(cluster, VM, keyOf(vm));
  return whole ? callsOf(action, vm, objectAt({ ...whole.spec }, 'template')) : [];
}

async function carryOut(
  cluster: ActorContext['cluster'],
  vm: VirtualMachine,
  vmi: Vmi | undefined,
  call: VmCall,
): Promise<ApiResult> {
  const key = keyOf(vm);
  switch (call.action) {
    case 'startVMI':
      return cluster.create(VMI, vm.metadata.namespace, call.object);
    case 'deleteVMI': {
      const result = await cluster.delete(VMI, key, { uid: vmi?.metadata.uid });
      return !result.ok && isNotFound(result) ? { ok: true, name: call.name } : result;
    }
    case 'addStartRequest': {
      const stateChangeRequests = [...call.stateChangeRequests];
      return cluster.modify(
        VM,
        key,
        (held) => ({ ...held, status: { ...held.status, stateChangeRequests } }),
        {
          subresource: 'status',
        },
      );
    }
    case 'updateVM':
      return cluster.modify(VM, key, (held) => ({ ...held, spec: { ...held.spec, ...call.spec } }));
    case 'createControllerRevision':
      return { ok: true, name: call.name };
  }
}
