import { buildCommand } from '@stricli/core';
import type { Forecast } from '../../forecast/forecast.ts';
import { askOptions, readCluster } from '../ask.ts';
import type { CliContext } from '../context.ts';
import { type InputFlags, inputAliases, inputFlags } from '../flags.ts';
import { requireVm } from '../known.ts';
import { text } from '../parsers.ts';
import { viewOptions, warn } from '../show.ts';
import { vmKey } from '../vm-key.ts';

const EXPLAIN_OUTPUTS = ['text', 'json', 'yaml'] as const;
type Flags = InputFlags & { readonly namespace?: string; readonly output: (typeof EXPLAIN_OUTPUTS)[number] };

export const explainVmi = buildCommand<Flags, [string], CliContext>({
  docs: {
    brief: 'Everything about one VM: each decision, each rule tried, each input read',
    fullDescription:
      'Shows what an upgrade and a drain do to one VM with the whole trace: the decisions in their order, the rules that ' +
      'each tried, what they read, which one decided, and what would change the answer.',
  },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [{ parse: text, placeholder: 'namespace/vm', brief: 'The VM; with -n also a bare name' }],
    },
    flags: {
      ...inputFlags,
      namespace: {
        kind: 'parsed',
        parse: text,
        optional: true,
        placeholder: 'name',
        brief: 'Namespace of a bare name',
      },
      output: {
        kind: 'enum',
        placeholder: 'form',
        values: EXPLAIN_OUTPUTS,
        default: 'text',
        brief: 'Form of the answer',
      },
    },
    aliases: { ...inputAliases, n: 'namespace', o: 'output' },
  },
  async func(flags, name) {
    const input = await readCluster(this, flags);
    warn(this, input);
    const vm = requireVm(input.fleet, vmKey(name, flags.namespace));
    const options = askOptions(this, { ...flags, allNamespaces: true }, input);
    const forecasts = await this.answers.explainVmi(input.fleet, vm, { ...options, explain: true });
    this.process.stdout.write(await explained(this, flags, vm, forecasts));
  },
});

async function explained(
  context: CliContext,
  flags: Flags,
  vm: string,
  forecasts: readonly Forecast[],
): Promise<string> {
  const list = { apiVersion: 'drover.dev/v1alpha1', kind: 'ForecastList', items: forecasts };
  if (flags.output === 'json') return (await import('../../forecast/views/json.ts')).jsonView(list);
  if (flags.output === 'yaml') return (await import('../../forecast/views/yaml.ts')).yamlView(list);
  const { explainView } = await import('../../forecast/views/explain.ts');
  const options = viewOptions(context, { ...flags, output: 'table', sortBy: 'outcome', headers: true });
  return forecasts.map((forecast) => explainView(forecast, vm, options)).join('\n');
}
