import {
  admitEviction,
  type EvictionAnswer,
  type EvictionFacts,
  type EvictionNeed,
  isEvictionAnswer,
} from '../decide/eviction/admit.ts';
import type { Lookup } from '../decide/eviction/lookup.ts';
import type { PatchOutcome } from '../decide/eviction/mark.ts';
import { type Pod, podSchema, type Vmi, vmiSchema } from '../kubevirt/objects.ts';
import type { ApiCall, ApiErrors } from './api-errors.ts';
import { readList } from './input.ts';

const RESOURCE = { pods: 'pods', vmis: 'virtualmachineinstances' } as const;
type Patch = Extract<EvictionNeed, { need: 'patch' }>;

/** The API server that the webhook of a vector talks to; it notes every call, and changes nothing. */
export class EvictionCluster {
  readonly calls: string[] = [];
  patch: Patch | undefined;
  readonly #pods: readonly Pod[];
  readonly #vmis: readonly Vmi[];
  readonly #errors: ApiErrors;

  constructor(pods: unknown, vmis: unknown, errors: ApiErrors) {
    this.#pods = readList(podSchema, pods);
    this.#vmis = readList(vmiSchema, vmis);
    this.#errors = errors;
  }

  /** Fetches and sends what the decision asks for until it answers. */
  admit(facts: EvictionFacts): EvictionAnswer {
    const step = admitEviction(facts);
    if (isEvictionAnswer(step)) return step;
    return this.admit({ ...facts, [step.need]: this.#serve(step) });
  }

  #serve(need: EvictionNeed): Lookup<Pod | Vmi> | PatchOutcome {
    const { namespace, name } = need;
    if (need.need === 'patch') return this.#send(need);
    if (need.need !== 'vmi') return this.#get('pods', this.#pods, 'pods', namespace, name);
    return this.#get(RESOURCE.vmis, this.#vmis, 'virtualmachineinstances.kubevirt.io', namespace, name);
  }

  #get<T extends Pod | Vmi>(
    resource: string,
    stored: readonly T[],
    qualified: string,
    namespace: string,
    name: string,
  ): Lookup<T> {
    const call: ApiCall = { verb: 'get', resource, namespace, name };
    const error = this.#note(call);
    if (error !== undefined) {
      return this.#errors.isNotFound(call) ? { missing: true, message: error } : { error };
    }
    const found = stored.find((o) => o.metadata.namespace === namespace && o.metadata.name === name);
    return found ? { found } : { missing: true, message: `${qualified} "${name}" not found` };
  }

  #send(need: Patch): PatchOutcome {
    const { namespace, name } = need;
    this.patch = need;
    const error = this.#note({ verb: 'patch', resource: RESOURCE.vmis, namespace, name });
    return error === undefined ? { patched: true } : { error };
  }

  #note(call: ApiCall): string | undefined {
    this.calls.push(`${call.verb} ${call.resource} ${call.namespace}/${call.name}`);
    return this.#errors.textFor(call);
  }
}
