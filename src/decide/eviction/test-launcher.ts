import { aPod, aVmi } from '../../kubevirt/builders.ts';
import { versionRules } from '../versions.ts';
import type { LauncherInput } from './launcher-input.ts';

export const migrating = (strategy: string, status = 'True') =>
  aVmi().on('n1').strategy(strategy).migratable(status);
export const aLauncher = () => aPod().launcherOf(aVmi().build()).on('n1');

/** An eviction of the launcher of a VMI that can migrate, under KubeVirt 1.`minor`. */
export function input(change: Partial<LauncherInput> = {}, minor = 9): LauncherInput {
  const version = { major: 1, minor };
  const settings = { evictionStrategy: 'None', version, rules: versionRules(version) };
  const vmi = { found: migrating('LiveMigrate').build() };
  return { pod: aLauncher().build(), vmi, settings, behavior: 'exact', ...change };
}
