import { z } from 'zod';
import { resolveSettings, type Settings } from '../decide/settings.ts';
import { METHOD } from '../kubevirt/names.ts';
import type { KubeVirt } from '../kubevirt/objects.ts';
import { parseDurationSeconds } from '../kubevirt/time.ts';
import { ControllerError } from './errors.ts';

/** Where the updater's strategy comes from. */
export type StrategySource =
  /** The KubeVirt CR: Drover in place of KubeVirt's own updater. */
  | { readonly kind: 'kubevirt' }
  /** Drover's settings, beside a KubeVirt whose own methods are empty; live updates are Drover's to drive then, too. */
  | {
      readonly kind: 'own';
      readonly methods: readonly string[];
      readonly batchEvictionSize: number;
      readonly batchEvictionIntervalSeconds: number;
    };

/** The cluster's settings with the strategy in force. An own strategy never sends priorities, which the admission refuses to strangers. */
export function settingsUnder(source: StrategySource, kubevirt: KubeVirt | undefined): Settings {
  const settings = resolveSettings(kubevirt);
  if (source.kind === 'kubevirt') return settings;
  const { methods, batchEvictionSize, batchEvictionIntervalSeconds } = source;
  return { ...settings, workloadUpdateMethods: methods, batchEvictionSize, batchEvictionIntervalSeconds };
}

/**
 * Sees to it that only one updater drives the cluster: throws `TwoUpdaters` where the CR has methods, known ones or not, and
 * Drover has a strategy of its own, or a virt-controller runs that goes by the CR's already.
 */
export function requireSoleUpdater(
  source: StrategySource,
  kubevirt: KubeVirt | undefined,
  isBuiltInRunning = false,
): void {
  const other = otherUpdater(source, kubevirt, isBuiltInRunning);
  if (other === undefined) return;
  const { namespace, name } = kubevirt?.metadata ?? {};
  const methods = methodsOf(kubevirt).join(', ');
  const where = `spec.workloadUpdateStrategy.workloadUpdateMethods of KubeVirt ${namespace}/${name}`;
  throw new ControllerError('TwoUpdaters', `${where} is ${methods}, and ${other}`);
}

/** Who else would drive the cluster; undefined: nobody. */
export function otherUpdater(
  { kind }: StrategySource,
  kubevirt: KubeVirt | undefined,
  isBuiltInRunning = false,
): string | undefined {
  if (methodsOf(kubevirt).length === 0) return undefined;
  if (kind === 'own') return 'Drover has a strategy too';
  return isBuiltInRunning ? 'the virt-controller that runs goes by it already' : undefined;
}

function methodsOf(kubevirt: KubeVirt | undefined): readonly string[] {
  return kubevirt?.spec?.workloadUpdateStrategy?.workloadUpdateMethods ?? [];
}

/** Stricter than KubeVirt: a method or a field that means nothing is an error. */
export const strategySchema = z.strictObject({
  workloadUpdateMethods: z
    .array(z.enum([METHOD.liveMigrate, METHOD.evict]))
    .default([])
    .describe(
      'How VMs with an outdated launcher are updated: those that can move by LiveMigrate, the others by Evict; empty: none is.',
    ),
  batchEvictionSize: z
    .int()
    .min(0)
    .optional()
    .describe('VMs that are evicted at once, 0 for none; absent: 10.'),
  batchEvictionInterval: z
    .string()
    .refine((text) => (parseDurationSeconds(text) ?? 0) > 0, 'it must be a duration above 0, as in 1m')
    .optional()
    .meta({ description: 'Time between two batches of evictions; absent: 1m.', examples: ['1m', '90s'] }),
});

/**
 * An own strategy as a user writes it: the fields of `spec.workloadUpdateStrategy` in the KubeVirt CR, with its defaults.
 * Throws `StrategyUnreadable` with every problem.
 */
export function ownStrategy(written: unknown, origin: string): StrategySource {
  const parsed = strategySchema.safeParse(written);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'it'}: ${message}`);
    throw new ControllerError('StrategyUnreadable', `${origin}: ${problems.join('; ')}`);
  }
  const workloadUpdateStrategy = parsed.data;
  const { workloadUpdateMethods: methods, ...batch } = resolveSettings({
    metadata: { name: '' },
    spec: { workloadUpdateStrategy },
  });
  const { batchEvictionSize, batchEvictionIntervalSeconds } = batch;
  return { kind: 'own', methods, batchEvictionSize, batchEvictionIntervalSeconds };
}
