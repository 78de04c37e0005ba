import { resolveSettings, type Settings } from '../decide/settings.ts';
import type { KubeVirt } from '../kubevirt/objects.ts';
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
 * Sees to it that only one updater drives the cluster: throws `TwoUpdaters` where Drover has a strategy of its own and the CR
 * has methods too, known ones or not.
 */
export function requireSoleUpdater(source: StrategySource, kubevirt: KubeVirt | undefined): void {
  const methods = kubevirt?.spec?.workloadUpdateStrategy?.workloadUpdateMethods ?? [];
  if (source.kind === 'kubevirt' || methods.length === 0) return;
  const { namespace, name } = kubevirt?.metadata ?? {};
  const where = `spec.workloadUpdateStrategy.workloadUpdateMethods of KubeVirt ${namespace}/${name}`;
  throw new ControllerError(
    'TwoUpdaters',
    `${where} is ${methods.join(', ')}, and Drover has a strategy too`,
  );
}
