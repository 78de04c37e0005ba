import { DroverError } from '../errors.ts';
import { namespacedName, text } from '../parsers.ts';
import type { NamespacedName, StrategyPlace } from '../services.ts';

/** Where Drover's own strategy stands. */
export interface StrategyFlags {
  readonly strategyFromFile?: string;
  readonly strategyFromConfigmap?: NamespacedName;
}

export const strategyFlags = {
  strategyFromFile: {
    kind: 'parsed',
    parse: text,
    optional: true,
    placeholder: 'file',
    brief: "Drover's own strategy, YAML",
  },
  strategyFromConfigmap: {
    kind: 'parsed',
    parse: namespacedName,
    optional: true,
    placeholder: 'namespace/name',
    brief: "Drover's own strategy, under the key strategy.yaml",
  },
} as const;

/** Throws where both are given. */
export function placeOf({
  strategyFromFile: file,
  strategyFromConfigmap: configMap,
}: StrategyFlags): StrategyPlace {
  if (file !== undefined && configMap !== undefined)
    throw new DroverError('WrongFlags', 'give one of --strategy-from-file and --strategy-from-configmap');
  if (file !== undefined) return { file };
  return configMap === undefined ? 'kubevirt' : { configMap };
}
