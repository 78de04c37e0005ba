import { type Forecast, OUTCOMES, type Outcome, type Stage, type VmVerdict } from '../forecast.ts';
import type { Finding, LintReport } from '../lint/finding.ts';
import type { Explanation } from './explain/explanation.ts';

/** Makes forecasts for tests: `aForecast().with('shop/db-0', 'Blocks', { message: '…' }).build()`. */
export class ForecastBuilder {
  #vms: VmVerdict[] = [];
  #status: Partial<Forecast['status']> = {};
  #spec: Partial<Forecast['spec']> = {};

  with(key: string, outcome: Outcome, verdict: Partial<VmVerdict> = {}): this {
    const [namespace = '', name = ''] = key.split('/');
    const plain = { reason: `${outcome}Reason`, message: `${name} is ${outcome}`, node: 'n1' };
    this.#vms.push({
      ...{ namespace, name, outcome, evidence: [], remedies: [], stages: [] },
      ...plain,
      ...verdict,
    });
    return this;
  }

  /** `count` VMs named `prefix-0` and so on. */
  many(count: number, prefix: string, outcome: Outcome, verdict: Partial<VmVerdict> = {}): this {
    for (let i = 0; i < count; i += 1) this.with(`${prefix}-${i}`, outcome, verdict);
    return this;
  }

  asking(spec: Partial<Forecast['spec']>): this {
    this.#spec = { ...this.#spec, ...spec };
    return this;
  }

  saying(status: Partial<Forecast['status']>): this {
    this.#status = { ...this.#status, ...status };
    return this;
  }

  build(): Forecast {
    const counts = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as Record<Outcome, number>;
    for (const vm of this.#vms) counts[vm.outcome] += 1;
    return {
      apiVersion: 'drover.dev/v1alpha1',
      kind: 'Forecast',
      spec: {
        ...{ action: 'drain', title: 'drain n1 · kubectl, timeout 5m · KubeVirt v1.9.0' },
        ...{ kubevirtVersion: '1.9', parameters: { nodes: ['n1'], client: 'kubectl' } },
        ...this.#spec,
      },
      status: {
        ...{ summary: 'The drain finishes.', counts, notes: [], warnings: [], missing: [] },
        vms: this.#vms,
        ...this.#status,
      },
    };
  }
}

export function aForecast(): ForecastBuilder {
  return new ForecastBuilder();
}

/** One VM's way through two decisions, for views that show it. */
const TWO_STAGES: readonly Stage[] = [
  {
    decision: 'eviction webhook',
    reason: 'NotLiveMigratable',
    says: 'the eviction is refused',
    trace: [
      {
        rule: 'NotALauncherPod',
        asks: 'the pod is not a launcher pod',
        source: 'kubevirt v1.9.0 pkg/a.go:10',
        held: false,
        evidence: [
          {
            object: 'Pod shop/virt-launcher-db-0-x',
            path: 'metadata.labels[kubevirt.io]',
            value: 'virt-launcher',
          },
        ],
      },
      {
        rule: 'NotLiveMigratable',
        asks: 'the strategy is LiveMigrate and the VMI cannot migrate',
        source: 'kubevirt v1.9.0 pkg/a.go:20',
        held: true,
        evidence: [
          { object: 'VirtualMachineInstance shop/db-0', path: 'spec.evictionStrategy', value: 'LiveMigrate' },
          {
            object: 'VirtualMachineInstance shop/db-0',
            path: 'status.conditions[type=LiveMigratable]',
            value: 'False: DisksNotLiveMigratable: PVC db-0 is not shared',
          },
        ],
      },
    ],
  },
  { decision: 'drain client', reason: 'Retries', says: 'kubectl asks again every 5 s', trace: [] },
];

/** The drain of product.md. */
export function theDrain(): ForecastBuilder {
  return aForecast()
    .asking({ title: 'drain n1 · kubectl, timeout 5m · KubeVirt v1.9.0 · 41 VMs on the node' })
    .saying({
      summary: 'The drain does not finish: 2 VMs refuse eviction for as long as nothing changes.',
      notes: ['At most 2 migrations leave n1 at a time.'],
      missing: ['PodDisruptionBudgets: whether one refuses an eviction is not known.'],
    })
    .with('shop/db-0', 'Blocks', {
      reason: 'NotLiveMigratable',
      message: 'Strategy LiveMigrate, but disk "data" (PVC db-0) of db-0 is ReadWriteOnce.',
      evidence: TWO_STAGES[0]?.trace[1]?.evidence ?? [],
      remedies: ['shut it down first, or set evictionStrategy LiveMigrateIfPossible and restart it once'],
      stages: TWO_STAGES,
    })
    .with('shop/gpu-1', 'Blocks', {
      reason: 'NotLiveMigratable',
      message: 'Strategy LiveMigrate, but host device "gpu" of gpu-1 cannot move.',
      remedies: ['shut it down first, or set evictionStrategy LiveMigrateIfPossible and restart it once'],
    })
    .with('ci/run-7', 'StaysOff', {
      reason: 'RunStrategyManual',
      message: 'run-7 is shut down by the eviction, and nothing starts a Manual VM again.',
      remedies: ['start it again after the drain: virtctl start run-7 -n ci'],
    })
    .many(3, 'web/front', 'Restarts', { reason: 'RunStrategyAlways', message: 'Evicted and started again.' })
    .with('edge/worker', 'HandedOver', {
      reason: 'StrategyExternal',
      message: 'Only marked; who acts is unknown.',
    })
    .many(34, 'web/back', 'LiveMigrates', { reason: 'Evacuated', message: 'Migrates to another node.' });
}

/** A finding about one VMI, a drain that it refuses. */
export function aFinding(change: Partial<Finding> = {}): Finding {
  return {
    code: 'DRV013',
    name: 'DrainRefused',
    severity: 'error',
    title: 'a drain never ends',
    objects: ['VirtualMachineInstance shop/db-0'],
    cause: '1 VMI refuses.',
    cure: 'Shut it down: `virtctl stop -n shop db-0`',
    evidence: [],
    ...change,
  };
}

/** A report with these findings, of KubeVirt 1.9. */
export function aLintReport(
  findings: readonly Finding[],
  status: Partial<LintReport['status']> = {},
): LintReport {
  const counts = { error: 0, warning: 0, info: 0 };
  for (const { severity } of findings) counts[severity] += 1;
  return {
    ...{ apiVersion: 'drover.dev/v1alpha1', kind: 'LintReport' },
    spec: { kubevirtVersion: '1.9', rulesChecked: 21 },
    status: { summary: `${findings.length} found.`, counts, findings, notChecked: [], ...status },
  };
}

/**
 * Three forecasts about `shop/db-0`: it migrates in an upgrade, and its eviction is refused, as the drain of product.md has
 * it, with stages and alternatives.
 */
export function anExplanation(vm = 'shop/db-0'): Explanation {
  const asked = (action: string, parameters: Readonly<Record<string, unknown>> = {}): ForecastBuilder =>
    aForecast().asking({ action, title: `${action} · 1 VM`, parameters });
  const refused: Partial<VmVerdict> = {
    reason: 'NotLiveMigratable',
    message: `${vm} refuses eviction: strategy LiveMigrate, but it cannot migrate`,
    answer: { code: 429, message: 'cannot migrate' },
    evidence: TWO_STAGES[0]?.trace[1]?.evidence ?? [],
    remedies: ['Shut it down first: virtctl stop db-0 -n shop', 'Or remove what keeps it from migrating.'],
    stages: TWO_STAGES,
    alternatives: [
      {
        change: 'spec.evictionStrategy of the VMI were None',
        outcome: 'Restarts',
        reason: 'RunStrategyAlways',
      },
    ],
  };
  const update = { reason: 'LauncherOutdated', message: `${vm} has an outdated launcher and live-migrates` };
  const note = { notes: ['Taken as none: ResourceQuota.'], missing: ['Node: none in the input'] };
  return {
    vm,
    forecasts: [
      asked('upgrade').with(vm, 'LiveMigrates', update).saying(note).build(),
      asked('drain', { nodes: ['n1'] })
        .with(vm, 'Blocks', refused)
        .saying(note)
        .build(),
      asked('evict')
        .with(vm, 'Blocks', { ...refused, remedies: [] })
        .saying(note)
        .build(),
    ],
  };
}
