import type { Evidence } from '../../decide/rules.ts';
import type { Kind } from '../../fleet/fleet.ts';
import type { LabelSelector, ObjectMeta } from '../../kubevirt/objects.ts';
import type { LintContext } from './context.ts';

/** Worst first: `error` hurts now or can never work, `warning` bites at the next drain, roll-out or edit, `info` is good to know. */
export const SEVERITIES = ['error', 'warning', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Each severity in a few words, for legends and the reference. */
export const SEVERITY_MEANING: Readonly<Record<Severity, string>> = {
  error: 'hurts now, or can never work',
  warning: 'bites at the next drain, roll-out or edit',
  info: 'good to know',
};

/** One trap, and every object that is in it for the same reason. */
export interface Finding {
  /** Stable, `DRV001` and so on; a code is never given to another rule. */
  readonly code: string;
  /** Stable CamelCase. */
  readonly name: string;
  readonly severity: Severity;
  readonly title: string;
  /** `Kind namespace/name`, sorted; every one of them, views may show fewer. */
  readonly objects: readonly string[];
  /** One or two sentences with the decisive values. */
  readonly cause: string;
  /** What to do; commands in it stand between backticks and can be pasted. */
  readonly cure: string;
  /** The settings that decide, then the fields of the first object; the other objects are alike. */
  readonly evidence: readonly Evidence[];
}

/** Whether a finding about this object is asked for. */
export type Concerns = (
  kind: Kind,
  object: { readonly metadata: Pick<ObjectMeta, 'name' | 'namespace'> },
) => boolean;

/** What a rule hands to `lint`, which adds the rule's own words. */
export interface Found extends Pick<Finding, 'objects' | 'cause' | 'cure' | 'evidence'> {
  /** The same finding about some of its objects, in words about those; none where none is left. Absent: it is always told whole. */
  readonly among?: (concerns: Concerns) => readonly Found[];
}

/** What a rule must know to say anything: a kind of object, or the time, which stands in no dump. */
export type Need = Kind | 'the time';

/**
 * One trap as data.
 *
 * Promise of `find`: it depends on nothing but the context, changes nothing, and costs about O(fleet). It is called only
 * where every need is met, and returns one finding for each cause, not for each object.
 */
export interface LintRule {
  readonly code: string;
  readonly name: string;
  readonly severity: Severity;
  readonly title: string;
  /** What it is and why it matters, for the reference page. */
  readonly explains: string;
  readonly needs: readonly Need[];
  readonly find: (cluster: LintContext) => readonly Found[];
}

/** A rule that could not be tried. */
export interface NotChecked {
  readonly code: string;
  readonly name: string;
  /** What is missing, as the rule names it. */
  readonly needs: readonly Need[];
}

export interface LintReport {
  readonly apiVersion: 'drover.dev/v1alpha1';
  readonly kind: 'LintReport';
  readonly spec: {
    readonly kubevirtVersion: string;
    /** How many rules were tried. */
    readonly rulesChecked: number;
    /** What was asked about only, besides what concerns the whole cluster. */
    readonly namespace?: string | undefined;
    readonly selector?: LabelSelector | undefined;
  };
  readonly status: {
    /** The answer in one sentence. */
    readonly summary: string;
    readonly counts: Readonly<Record<Severity, number>>;
    /** Worst first, then by code, then by first object. */
    readonly findings: readonly Finding[];
    /** By code. */
    readonly notChecked: readonly NotChecked[];
  };
}
