import { DROVER_ANNOTATION } from '../../kubevirt/names.ts';
import { formatInstant } from '../../kubevirt/time.ts';
import { domainOf } from '../eviction/hotplug.ts';
import { failureIn, foundIn, isMissing } from '../eviction/lookup.ts';
import { isActiveLauncher } from '../eviction/pod.ts';
import type { Table } from '../rules.ts';
import { isApproved, isGlassBroken } from './consent.ts';
import {
  approvalEvidence,
  approvalOf,
  aroundEvidence,
  GUARD_RULES,
  type GuardInput,
  glassEvidence,
  glassOf,
  isRule,
  podEvidence,
  readFailure,
  ruleEvidence,
  ruleOf,
  windowEvidence,
  windowOf,
} from './guard-input.ts';

/** The webhook that asks this table, as clients see it in a refusal. */
export const GUARD_WEBHOOK = 'eviction-guard.drover.dev';

/** No `refusal` means that the guard has nothing against the eviction; KubeVirt may still have. */
export interface GuardVerdict {
  readonly refusal?: string | undefined;
}

const LET_GO: GuardVerdict = {};
const SOURCE = 'drover guard';

/**
 * Whether the guard lets an eviction through. It writes nothing, so a dry run gets the same answer. In doubt it refuses,
 * because drain clients try a refused eviction again, and a VM that is gone does not come back.
 */
export const guardTable: Table<GuardInput, GuardVerdict> = [
  {
    name: 'PodGone',
    asks: 'the pod is gone',
    source: SOURCE,
    when: ({ pod }) => isMissing(pod),
    reads: podEvidence,
    then: () => LET_GO,
  },
  {
    name: 'PodNotReadable',
    asks: 'the pod cannot be read',
    source: SOURCE,
    when: ({ pod }) => failureIn(pod) !== undefined,
    reads: podEvidence,
    then: (input) => notReadable(input, failureIn(input.pod)),
  },
  {
    name: 'NoActiveLauncher',
    asks: 'the pod runs no VM: it is no launcher, or one that has ended',
    source: SOURCE,
    when: ({ pod }) => !isActiveLauncher(foundIn(pod)),
    reads: podEvidence,
    then: () => LET_GO,
  },
  {
    name: 'GlassBroken',
    asks: 'an annotation on the node overrides every rule',
    source: SOURCE,
    when: ({ around, now }) => isGlassBroken(glassOf(around), now),
    reads: glassEvidence,
    then: () => LET_GO,
  },
  {
    name: 'RuleNotReadable',
    asks: 'the VM, its VMI or the namespace cannot be read, so a rule may be missed',
    source: SOURCE,
    when: (input) => readFailure(input) !== undefined,
    reads: aroundEvidence,
    then: (input) => notReadable(input, readFailure(input)),
  },
  {
    name: 'NoRule',
    asks: 'neither the VM nor its namespace says anything about evictions',
    source: SOURCE,
    when: (input) => ruleOf(input) === undefined,
    reads: aroundEvidence,
    then: () => LET_GO,
  },
  {
    name: 'RuleUnknown',
    asks: 'the rule is none that the guard knows',
    source: SOURCE,
    when: (input) => !(GUARD_RULES as readonly string[]).includes(ruleOf(input)?.value ?? ''),
    reads: ruleEvidence,
    then: (input) =>
      refused(input, `is guarded by "${ruleOf(input)?.value}", which is none of ${GUARD_RULES.join(', ')}`),
  },
  {
    name: 'Allow',
    asks: 'the rule is allow',
    source: SOURCE,
    when: (input) => isRule(input, 'allow'),
    reads: ruleEvidence,
    then: () => LET_GO,
  },
  {
    name: 'Never',
    asks: 'the rule is never',
    source: SOURCE,
    when: (input) => isRule(input, 'never'),
    reads: ruleEvidence,
    then: (input) => refused(input, 'must not be evicted'),
  },
  {
    name: 'Approved',
    asks: 'the rule is approve, and evictions are approved',
    source: SOURCE,
    when: (input) => isRule(input, 'approve') && isApproved(approvalOf(input)?.value, input.now),
    reads: approvalEvidence,
    then: () => LET_GO,
  },
  {
    name: 'NotApproved',
    asks: 'the rule is approve, and evictions are not approved',
    source: SOURCE,
    when: (input) => isRule(input, 'approve'),
    reads: approvalEvidence,
    then: (input) =>
      refused(
        input,
        `is evicted only with approval, which is ${DROVER_ANNOTATION.evictionApproved}: "true", or a time until which it holds`,
      ),
  },
  {
    name: 'WindowNotReadable',
    asks: 'the rule is window, and the windows are not told or cannot be read',
    source: SOURCE,
    when: (input) => 'error' in windowOf(input),
    reads: windowEvidence,
    then: (input) => refused(input, `is evicted only in its window, but ${windowProblem(input)}`),
  },
  {
    name: 'WindowOpen',
    asks: 'the rule is window, and one of them is open',
    source: SOURCE,
    when: (input) => isOpen(windowOf(input)),
    reads: windowEvidence,
    then: () => LET_GO,
  },
  {
    name: 'WindowClosed',
    asks: 'the rule is window, and all of them are closed',
    source: SOURCE,
    when: () => true,
    reads: windowEvidence,
    then: (input) => refused(input, `is evicted only in its window, which ${opening(windowOf(input))}`),
  },
];

function windowProblem(input: GuardInput): string {
  const window = windowOf(input);
  return 'error' in window ? window.error : '';
}

function isOpen(window: ReturnType<typeof windowOf>): boolean {
  return 'open' in window && window.open;
}

function opening(window: ReturnType<typeof windowOf>): string {
  const at = 'opensAt' in window ? window.opensAt : undefined;
  return at === undefined ? 'never opens' : `opens at ${formatInstant(at)}`;
}

function nameOf({ key, pod }: GuardInput): string {
  const found = foundIn(pod);
  const name = domainOf(found);
  return found && name !== undefined ? `VM ${found.metadata.namespace}/${name}` : `Pod ${key}`;
}

function refused(input: GuardInput, says: string): GuardVerdict {
  const rule = ruleOf(input);
  const node = foundIn(input.pod)?.spec?.nodeName;
  const way =
    node === undefined ? '' : `; annotation ${DROVER_ANNOTATION.breakGlass} on node ${node} overrides this`;
  const where = `${DROVER_ANNOTATION.eviction}: ${rule?.value} on the ${rule?.kind}`;
  return { refusal: `${nameOf(input)} ${says} (${where}${way})` };
}

function notReadable(input: GuardInput, failure: string | undefined): GuardVerdict {
  return { refusal: `cannot tell whether ${nameOf(input)} may be evicted: ${failure}` };
}
