import type { EventDraft } from '../decide/events.ts';
import type { RunStrategyAction } from '../decide/run-strategy/action.ts';
import { callsOf, type VmCall } from '../decide/run-strategy/calls.ts';
import { beginPass, type CallAnswer, noteCall, type RunStrategyPass } from '../decide/run-strategy/pass.ts';
import { isSetToStart } from '../decide/run-strategy/requests.ts';
import { resolveRunStrategy } from '../decide/run-strategy/resolve.ts';
import { decideRunStrategy } from '../decide/run-strategy/step.ts';
import { startBackoffSecondsLeft } from '../decide/start-backoff.ts';
import { type JsonObject, objectAt } from '../kubevirt/json.ts';
import { type VirtualMachine, type Vmi, virtualMachineSchema, vmiSchema } from '../kubevirt/objects.ts';
import { keyOf } from '../kubevirt/predicates.ts';
import { parseInstant } from '../kubevirt/time.ts';
import { differences } from './compare.ts';
import { withoutNulls } from './input.ts';
import type { Vector, VectorDriver } from './vectors.ts';

/** The step's input as the vector gives it: the objects through the schemas, the VM's raw form for its template. */
interface Scenario {
  readonly vm: VirtualMachine;
  readonly rawVm: JsonObject;
  readonly vmi: Vmi | undefined;
  readonly apiErrors: readonly ApiError[];
}

interface ApiError {
  readonly verb: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly status?: { readonly message: string };
  readonly text?: string;
}

const REQUESTS: Readonly<Record<VmCall['action'], Pick<ApiError, 'verb' | 'resource' | 'subresource'>>> = {
  createControllerRevision: { verb: 'create', resource: 'controllerrevisions' },
  startVMI: { verb: 'create', resource: 'virtualmachineinstances' },
  deleteVMI: { verb: 'delete', resource: 'virtualmachineinstances' },
  addStartRequest: { verb: 'patch', resource: 'virtualmachines', subresource: 'status' },
  updateVM: { verb: 'update', resource: 'virtualmachines' },
};

function run({ input, output }: Vector) {
  const { now: rawNow, vm: rawVm, vmi: rawVmi, apiErrors, ...unknown } = withoutNulls(structuredClone(input));
  const scenario: Scenario = {
    vm: virtualMachineSchema.parse(rawVm),
    rawVm: rawVm as JsonObject,
    vmi: rawVmi === undefined ? undefined : vmiSchema.parse(rawVmi),
    apiErrors: (apiErrors ?? []) as ApiError[],
  };
  const now = parseInstant(String(rawNow)) ?? 0;
  return [...differences({}, unknown, 'input'), ...differences(withoutNulls(output), step(scenario, now))];
}

function step(scenario: Scenario, now: number): unknown {
  const { vm, vmi, rawVm } = scenario;
  const { strategy, error } = resolveRunStrategy(vm);
  const action = decideRunStrategy({ vm, vmi, strategy, now }).result;
  const calls = callsOf(action, vm, objectAt(objectAt(rawVm, 'spec'), 'template'));
  const { pass, made } = carryOut(scenario, beginPass(vm, action), calls);
  return withoutNulls({
    runStrategy: { value: strategy, error },
    actions: actionsOf(action, made),
    addAfter: action.do === 'LookAgain' ? [{ key: keyOf(vm), nanoseconds: action.afterSeconds * 1e9 }] : [],
    apiCalls: made.map(({ call, answer }) => tell(vm, call, answer)),
    events: pass.events.map(tellEvent),
    expectationsAfter: pass.expectations,
    isSetToStart: error === undefined && isSetToStart(vm, vmi, strategy),
    startFailureBackoffSecondsLeft: startBackoffSecondsLeft(vm, now),
    syncError: pass.syncError && { ...pass.syncError, requiresRequeue: true },
    vmAfter: tellVm(pass.vm, rawVm),
  });
}

interface Made {
  readonly call: VmCall;
  readonly answer: CallAnswer;
}

/** Plays the API server. */
function carryOut(
  scenario: Scenario,
  begun: RunStrategyPass,
  calls: readonly VmCall[],
): { pass: RunStrategyPass; made: Made[] } {
  let pass = begun;
  const made: Made[] = [];
  for (const call of calls) {
    const answer = answerTo(scenario, call);
    made.push({ call, answer });
    pass = noteCall(pass, call, answer, scenario.vmi, 'exact');
    if ('error' in answer) break;
  }
  return { pass, made };
}

function answerTo({ vm, apiErrors }: Scenario, call: VmCall): CallAnswer {
  const request = { ...REQUESTS[call.action], namespace: vm.metadata.namespace, name: call.name };
  const failure = apiErrors.find(
    (error) =>
      error.verb === request.verb &&
      error.resource === request.resource &&
      error.subresource === request.subresource &&
      (error.namespace ?? request.namespace) === request.namespace &&
      (error.name ?? request.name) === request.name,
  );
  if (failure) return { error: failure.status?.message ?? failure.text ?? '' };
  if (call.action !== 'addStartRequest') return {};
  const stateChangeRequests = [...call.stateChangeRequests];
  return { vm: { ...vm, status: { ...vm.status, stateChangeRequests } } };
}

function actionsOf(action: RunStrategyAction, made: readonly Made[]): string[] {
  if (action.do === 'LookAgain') return ['delayed'];
  return made.length > 0 ? made.map(({ call }) => call.action) : ['none'];
}

function tell(vm: VirtualMachine, call: VmCall, answer: CallAnswer): unknown {
  const common = {
    action: call.action,
    name: `${vm.metadata.namespace}/${call.name}`,
    apiError: 'error' in answer ? answer.error : undefined,
  };
  switch (call.action) {
    case 'createControllerRevision':
      return { ...common, revision: call.revision };
    case 'startVMI':
      return { ...common, object: call.object };
    case 'addStartRequest': {
      const patch = [{ op: 'add', path: '/status/stateChangeRequests', value: call.stateChangeRequests }];
      return { ...common, subresource: 'status', patch };
    }
    case 'updateVM':
      return { ...common, ...specFields({ ...vm.spec, ...call.spec }) };
    case 'deleteVMI':
      return common;
  }
}

function specFields(spec: VirtualMachine['spec']): Record<string, unknown> {
  return { 'spec.runStrategy': spec?.runStrategy, 'spec.running': spec?.running };
}

function tellEvent({ kind, namespace, name, ...told }: EventDraft): unknown {
  return { object: `${kind} ${namespace}/${name}`, ...told };
}

/** Go leaves an empty list out. */
function tellVm(vm: VirtualMachine, rawVm: JsonObject): unknown {
  const { conditions = [], stateChangeRequests } = vm.status ?? {};
  const raw = (objectAt(rawVm, 'status').conditions ?? []) as { type?: string }[];
  const kept = raw.filter(({ type }) => conditions.some((condition) => condition.type === type));
  return {
    ...specFields(vm.spec),
    'status.conditions': kept.length > 0 ? kept : undefined,
    'status.stateChangeRequests': stateChangeRequests,
  };
}

/** The VM controller's run-strategy step, alone. */
export const runStrategyDriver: VectorDriver = { family: 'run-strategy', run };
