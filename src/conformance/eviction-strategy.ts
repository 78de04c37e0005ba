import { strategyStampTable, strategyValidationTable } from '../decide/eviction-strategy.ts';
import { decide, resultOf } from '../decide/rules.ts';
import { vmiSchema, vmiSpecSchema } from '../kubevirt/objects.ts';
import { differences } from './compare.ts';
import { onlyFields, readSettings, withoutNulls } from './input.ts';
import type { VectorDriver } from './vectors.ts';

/** Defaulting of a new VMI. */
export const evictionStrategyDefaultDriver: VectorDriver = {
  family: 'eviction-strategy-default',
  run: ({ input, output }) => {
    onlyFields(input, ['now', 'vmi', 'clusterConfiguration']);
    const settings = readSettings(input.clusterConfiguration);
    const vmi = vmiSchema.parse(withoutNulls(input.vmi));
    return differences(output, {
      effectiveClusterEvictionStrategy: settings.evictionStrategy,
      error: null,
      evictionStrategy: resultOf(strategyStampTable, { vmi, settings }),
    });
  },
};

/** Validation of the strategy when a VMI is created. */
export const evictionStrategyValidationDriver: VectorDriver = {
  family: 'eviction-strategy-validation',
  run: ({ input, output }) => {
    onlyFields(input, ['now', 'spec', 'clusterConfiguration']);
    const { evictionStrategy: strategy } = vmiSpecSchema.parse(withoutNulls(input.spec));
    const judged = decide(strategyValidationTable, {
      object: { kind: 'VirtualMachineInstance', metadata: { name: 'new' } },
      path: 'spec',
      strategy,
      settings: readSettings(input.clusterConfiguration),
      behavior: 'exact',
    });
    return differences(output, judged.result);
  },
};
