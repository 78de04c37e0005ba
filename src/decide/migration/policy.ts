/** Which MigrationPolicy applies to a VMI. evacuation-and-migration §8 of the spec. */
import type { MigrationPolicy } from '../../kubevirt/objects.ts';
import { compareText } from '../../kubevirt/order.ts';
import type { Behavior } from '../rules.ts';

type Labels = Readonly<Record<string, string>>;

export interface PolicyInput {
  readonly policies: readonly MigrationPolicy[];
  /** Undefined: the VMI has no labels, which is not the same as an empty set (see `policyFit`). */
  readonly vmiLabels: Labels | undefined;
  readonly namespaceLabels: Labels | undefined;
  readonly behavior: Behavior;
}

/** A policy that fits, and by how many labels. */
export interface PolicyFit {
  readonly policy: MigrationPolicy;
  readonly vmiLabels: number;
  readonly namespaceLabels: number;
}

/**
 * Whether a policy fits: every label that it names is there with the same value. One without selectors never fits, one
 * with empty selectors always.
 *
 * Defects of v1.9.0 (pkg/virt-controller/watch/migration/migrationpolicy.go:85-125): a VMI without labels passes both
 * selectors unseen, and whether the namespace is looked at depends on the VMI's labels. `intended` judges each by its own.
 */
export function policyFit(
  policy: MigrationPolicy,
  input: Omit<PolicyInput, 'policies'>,
): PolicyFit | undefined {
  const selectors = policy.spec?.selectors;
  if (!selectors) return undefined;
  const isSkipped = input.behavior === 'exact' && input.vmiLabels === undefined;
  const skip = (selector: Labels | undefined) => (isSkipped ? {} : (selector ?? {}));
  const vmi = skip(selectors.virtualMachineInstanceSelector);
  const namespace = skip(selectors.namespaceSelector);
  if (!isPartOf(vmi, input.vmiLabels) || !isPartOf(namespace, input.namespaceLabels)) return undefined;
  return {
    policy,
    vmiLabels: Object.keys(vmi).length,
    namespaceLabels: Object.keys(namespace).length,
  };
}

function isPartOf(selector: Labels, labels: Labels = {}): boolean {
  return Object.entries(selector).every(([key, value]) => labels[key] === value);
}

/** Most labels first, then most labels of the VMI, then by name: arbitrary, for determinism. */
const BEST_FIRST: readonly ((a: PolicyFit, b: PolicyFit) => number)[] = [
  (a, b) => b.vmiLabels + b.namespaceLabels - (a.vmiLabels + a.namespaceLabels),
  (a, b) => b.vmiLabels - a.vmiLabels,
  (a, b) => compareText(a.policy.metadata.name, b.policy.metadata.name),
];

/** The policies that fit, best first; the first one applies, the others have no part in it. */
export function fittingPolicies({ policies, ...input }: PolicyInput): PolicyFit[] {
  return policies
    .flatMap((policy) => policyFit(policy, input) ?? [])
    .sort((a, b) => {
      for (const compare of BEST_FIRST) {
        const order = compare(a, b);
        if (order !== 0) return order;
      }
      return 0;
    });
}
