/** What launchers select nodes by. */
import { aMigration, aPod, aVmi } from '../../kubevirt/builders.ts';
import type { VmiSpec } from '../../kubevirt/objects.ts';
import type { LauncherQuestion, Selector } from './launcher-selectors.ts';

export const base = { 'kubernetes.io/arch': 'amd64', 'kubevirt.io/schedulable': 'true' };
export const fresh = (nodeSelector: Record<string, string> = base) => aPod().spec({ nodeSelector }).build();

export const moved = (nodeSelector: Record<string, string>) =>
  aPod().targetOf(aVmi().build(), aMigration().build()).spec({ nodeSelector }).build();

export const ask = (spec: VmiSpec = {}, more: Partial<LauncherQuestion> = {}): LauncherQuestion => ({
  vmi: aVmi().spec(spec).build(),
  behavior: 'intended',
  ...more,
});

export const asMap = (selectors: readonly Selector[]) =>
  Object.fromEntries(selectors.map(({ key, value }) => [key, value]));

export const model = 'cpu-model-migration.node.kubevirt.io/Skylake';
export const vendor = 'cpu-vendor.node.kubevirt.io/Intel';
export const feature = 'cpu-feature.node.kubevirt.io/avx';
