import { DROVER_ANNOTATION } from '../../kubevirt/names.ts';
import type { LabelSelector, Namespace, Vmi } from '../../kubevirt/objects.ts';
import { annotationOf } from '../../kubevirt/predicates.ts';
import { matchesSelector } from '../../kubevirt/selector.ts';
import { failureIn, foundIn, isMissing, type Lookup } from '../eviction/lookup.ts';
import { isKnownStrategy } from '../eviction-strategy.ts';
import { field, vmiField } from '../evidence.ts';
import type { Evidence, Table } from '../rules.ts';

/** A strategy for new VMIs with these labels; for all where no selector is given. */
export interface DefaultStrategy {
  readonly strategy: string;
  readonly selector?: LabelSelector | undefined;
}

export interface DefaultStrategyInput {
  /** The VMI as it is being created. */
  readonly vmi: Vmi;
  /** Its namespace; need not be read for a VMI that `needsNamespace` says no to. */
  readonly namespace: Lookup<Namespace>;
  /** The first that takes the VMI counts. */
  readonly defaults: readonly DefaultStrategy[];
}

/** Nothing to stamp leaves the VMI to KubeVirt, which stamps the cluster's strategy. A warning is shown to who creates it. */
export interface DefaultStrategyVerdict {
  readonly stamp?: string | undefined;
  readonly warning?: string | undefined;
}

const SOURCE = 'drover guard';
const ANNOTATION_PATH = `metadata.annotations[${DROVER_ANNOTATION.defaultEvictionStrategy}]`;

/** Which eviction strategy a new VMI gets before KubeVirt gives it the cluster's. What the VMI says itself always stays. */
export const defaultStrategyTable: Table<DefaultStrategyInput, DefaultStrategyVerdict> = [
  {
    name: 'OwnStrategyKept',
    asks: 'the new VMI names a strategy',
    source: SOURCE,
    when: ({ vmi }) => vmi.spec?.evictionStrategy !== undefined,
    reads: vmiEvidence,
    then: () => ({}),
  },
  {
    name: 'LabelDefault',
    asks: 'the labels of the new VMI have a default of their own',
    source: SOURCE,
    when: (input) => labelDefault(input) !== undefined,
    reads: labelEvidence,
    then: (input) => ({ stamp: labelDefault(input)?.strategy }),
  },
  {
    name: 'NamespaceNotReadable',
    asks: 'the namespace cannot be read, so its default may be missed',
    source: SOURCE,
    when: ({ namespace }) => failureIn(namespace) !== undefined && !isMissing(namespace),
    reads: ({ namespace }) => [{ object: 'Namespace', path: ANNOTATION_PATH, value: failureIn(namespace) }],
    then: ({ namespace }) => ({
      warning: `the default eviction strategy of the namespace cannot be read, so the cluster's counts: ${failureIn(namespace)}`,
    }),
  },
  {
    name: 'NoDefault',
    asks: 'the namespace names no default, so the one of the cluster counts',
    source: SOURCE,
    when: (input) => namespaceDefault(input) === undefined,
    reads: namespaceEvidence,
    then: () => ({}),
  },
  {
    name: 'NamespaceDefaultUnknown',
    asks: 'the default of the namespace is none that KubeVirt knows, so it would refuse the VMI',
    source: SOURCE,
    when: (input) => !isKnownStrategy(namespaceDefault(input) ?? ''),
    reads: namespaceEvidence,
    then: (input) => ({
      warning: `${DROVER_ANNOTATION.defaultEvictionStrategy} of the namespace is "${namespaceDefault(input)}", which KubeVirt does not know, so the cluster's strategy counts`,
    }),
  },
  {
    name: 'NamespaceDefault',
    asks: 'the default of the namespace counts',
    source: SOURCE,
    when: () => true,
    reads: namespaceEvidence,
    then: (input) => ({ stamp: namespaceDefault(input) }),
  },
];

/** Whether the answer may depend on the namespace. */
export function needsNamespace(input: Omit<DefaultStrategyInput, 'namespace'>): boolean {
  return input.vmi.spec?.evictionStrategy === undefined && labelDefault(input) === undefined;
}

function labelDefault({
  vmi,
  defaults,
}: Omit<DefaultStrategyInput, 'namespace'>): DefaultStrategy | undefined {
  const labels = vmi.metadata.labels ?? {};
  return defaults.find(({ selector }) => !selector || matchesSelector(selector, labels));
}

function namespaceDefault({ namespace }: DefaultStrategyInput): string | undefined {
  const found = foundIn(namespace);
  return found && annotationOf(found, DROVER_ANNOTATION.defaultEvictionStrategy);
}

function vmiEvidence({ vmi }: DefaultStrategyInput): Evidence[] {
  return [vmiField(vmi, 'spec.evictionStrategy', vmi.spec?.evictionStrategy)];
}

function labelEvidence(input: DefaultStrategyInput): Evidence[] {
  return [...vmiEvidence(input), vmiField(input.vmi, 'metadata.labels', input.vmi.metadata.labels)];
}

function namespaceEvidence(input: DefaultStrategyInput): Evidence[] {
  const found = foundIn(input.namespace);
  const own = vmiEvidence(input);
  return found ? [...own, field(found, ANNOTATION_PATH, namespaceDefault(input), 'Namespace')] : own;
}
