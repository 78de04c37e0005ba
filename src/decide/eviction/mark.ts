import { type Eviction, evictionSchema } from '../../kubevirt/admission.ts';
import type { JsonPatchOperation } from '../../kubevirt/json-patch.ts';
import { ANNOTATION, DESCHEDULER } from '../../kubevirt/names.ts';
import type { Pod, Vmi } from '../../kubevirt/objects.ts';
import type { Behavior } from '../rules.ts';

/** What came of patching the VMI: `error` is the server's text. */
export type PatchOutcome = { readonly patched: true } | { readonly error: string };

/** The Eviction as it could be read, or why it could not. */
export type EvictionReading = { readonly eviction: Eviction } | { readonly error: string };

/** Why it did not work; `undefined` if it did, or was not tried. */
export function errorIn(outcome: EvictionReading | PatchOutcome | undefined): string | undefined {
  return outcome && 'error' in outcome ? outcome.error : undefined;
}

/**
 * Reads the object of a review as an Eviction.
 *
 * Promise: no object at all is an error, as KubeVirt's decoder has it; an empty one is an Eviction. Unknown fields,
 * kind and apiVersion do not matter; fields of a wrong type do.
 */
export function readEviction(object: unknown): EvictionReading {
  if (object === undefined) return { error: 'unexpected end of JSON input' };
  const { data, error } = evictionSchema.safeParse(object);
  if (data) return { eviction: data };
  const told = error?.issues.map(({ path, message }) => `${['Eviction', ...path].join('.')}: ${message}`);
  return { error: `${told}` };
}

/** The descheduler signs its evictions with an annotation. */
export function isFromDescheduler(eviction: Eviction): boolean {
  return eviction.metadata?.annotations?.[ANNOTATION.requestedBy] === DESCHEDULER.requestedBy;
}

interface MarkInput {
  readonly pod: Pod;
  readonly vmi: Vmi;
  readonly eviction: Eviction;
  readonly behavior: Behavior;
}

/**
 * The patch of the VMI that marks it for evacuation from the pod's node, and notes where the eviction came from if
 * the descheduler sent it. It tests nothing, so of several requests at once all succeed.
 *
 * `exact` has two defects (U10): on a VMI without annotations the noted key is garbled, which the API server refuses;
 * on others the note replaces a key that need not be there. `intended` adds it in both cases.
 * kubevirt v1.9.0 pkg/virt-api/webhooks/validating-webhook/admitters/pod-eviction-admitter.go:185-217.
 */
export function markPatch({ pod, vmi, eviction, behavior }: MarkInput): JsonPatchOperation[] {
  const mark: JsonPatchOperation = {
    op: 'add',
    path: '/status/evacuationNodeName',
    value: pod.spec?.nodeName ?? '',
  };
  return isFromDescheduler(eviction) ? [mark, sourceNote(vmi, behavior)] : [mark];
}

function sourceNote(vmi: Vmi, behavior: Behavior): JsonPatchOperation {
  const escaped = escapePointer(ANNOTATION.evictionSource);
  const hasAnnotations = Object.keys(vmi.metadata.annotations ?? {}).length > 0;
  if (!hasAnnotations) {
    const key = behavior === 'exact' ? escaped : ANNOTATION.evictionSource;
    return { op: 'add', path: '/metadata/annotations', value: { [key]: DESCHEDULER.source } };
  }
  const op = behavior === 'exact' ? 'replace' : 'add';
  return { op, path: `/metadata/annotations/${escaped}`, value: DESCHEDULER.source };
}

/** RFC 6901: `~` and `/` within a key. */
function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
