import { NON_EVICTABLE_METRIC, nonEvictableLabels, nonEvictableTable } from '../decide/non-evictable.ts';
import { resultOf } from '../decide/rules.ts';
import { vmiSchema } from '../kubevirt/objects.ts';
import { differences } from './compare.ts';
import { onlyFields, readSettings, withoutNulls } from './input.ts';
import type { VectorDriver } from './vectors.ts';

export const nonEvictableDriver: VectorDriver = {
  family: 'non-evictable',
  run: ({ input, output }) => {
    onlyFields(input, ['now', 'vmi', 'clusterConfiguration']);
    const vmi = vmiSchema.parse(withoutNulls(input.vmi));
    const settings = readSettings(input.clusterConfiguration);
    return differences(output, {
      metric: NON_EVICTABLE_METRIC,
      labels: nonEvictableLabels(vmi),
      value: resultOf(nonEvictableTable, { vmi, settings }),
    });
  },
};
