import type { EvictionVerdict } from '../../decide/eviction/verdict.ts';
import { effectiveStrategy, isKnownStrategy } from '../../decide/eviction-strategy.ts';
import type { Decision } from '../../decide/rules.ts';
import { STRATEGY } from '../../kubevirt/names.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import type { Context } from '../context.ts';
import type { Ending } from '../ending.ts';
import { whyNotMigratable } from '../not-migratable.ts';
import { KNOWN_STRATEGY_REMEDIES } from './next-vmi.ts';

/** The webhook refuses and leaves no mark: so it will for as long as nothing else changes. */
export function refusedByWebhook(context: Context, vmi: Vmi, answer: Decision<EvictionVerdict>): Ending {
  if (answer.reason !== 'NotLiveMigratable') {
    const message = answer.result.allowed ? '' : answer.result.message;
    return { outcome: 'Blocks', reason: answer.reason, says: `refuses eviction: ${message}` };
  }
  const why = whyNotMigratable(vmi);
  if (isStampedBefore(context, vmi)) {
    const now = context.settings.evictionStrategy;
    return {
      outcome: 'Blocks',
      reason: 'StrategyStampedBeforeChange',
      says: `refuses eviction: it was stamped LiveMigrate when it was created and keeps that though the cluster now says ${now}, and ${why}`,
      remedies: isKnownStrategy(now)
        ? [`Restart it once, and it takes over ${now}: virtctl restart ${nameFlags(vmi)}`]
        : [...KNOWN_STRATEGY_REMEDIES, 'Restart it once then, not before: it would not come back.'],
    };
  }
  return {
    outcome: 'Blocks',
    reason: 'NotLiveMigratable',
    says: `refuses eviction: strategy LiveMigrate, but ${why}`,
    remedies: [
      `Shut it down first: virtctl stop ${nameFlags(vmi)}`,
      'Or set evictionStrategy: LiveMigrateIfPossible on the VM and restart it once.',
      'Or remove what keeps it from migrating.',
    ],
  };
}

/** The VMI carries a strategy that neither its VM nor the cluster would give it today. */
function isStampedBefore(context: Context, vmi: Vmi): boolean {
  const vm = context.fleet.vmOf(vmi);
  if (!vm || vm.spec?.template?.spec?.evictionStrategy) return false;
  return (
    effectiveStrategy(vmi, context.settings) === STRATEGY.liveMigrate &&
    vmi.spec?.evictionStrategy !== undefined &&
    context.settings.evictionStrategy !== STRATEGY.liveMigrate
  );
}

function nameFlags({ metadata }: Vmi): string {
  return `${metadata.name} -n ${metadata.namespace}`;
}
