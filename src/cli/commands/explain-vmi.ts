import { buildCommand } from '@stricli/core';
import type { Fleet } from '../../fleet/fleet.ts';
import { type Explanation, sortedExplanations } from '../../forecast/views/explain/explanation.ts';
import type { ViewOptions } from '../../forecast/views/options.ts';
import { compareText } from '../../kubevirt/order.ts';
import { askOptions, readCluster } from '../ask.ts';
import type { CliContext } from '../context.ts';
import { DroverError } from '../errors.ts';
import { OUTPUTS, type Output, type PlanFlags, planAliases, planFlags } from '../flags.ts';
import { EXIT, failsGate } from '../gate.ts';
import { requireVm, vmsInScope } from '../known.ts';
import { text } from '../parsers.ts';
import type { AskOptions } from '../ports.ts';
import { viewOptions, warn } from '../show.ts';

/** `text` is what `table` was called first. */
type Flags = Omit<PlanFlags, 'output'> & { readonly output: Output | 'text' };

type ExplainView = (explanations: readonly Explanation[], options: ViewOptions) => string;

const VIEWS: Readonly<Record<Output, () => Promise<ExplainView>>> = {
  table: async () => (await import('../../forecast/views/explain/explain.ts')).explainTableView,
  wide: async () => {
    const { explainTableView } = await import('../../forecast/views/explain/explain.ts');
    return (explanations, options) => explainTableView(explanations, options, true);
  },
  name: async () => (await import('../../forecast/views/explain/rows.ts')).explainNameView,
  json: async () => {
    const { jsonView } = await import('../../forecast/views/json.ts');
    return (explanations) => jsonView(forecastList(explanations));
  },
  yaml: async () => {
    const { yamlView } = await import('../../forecast/views/yaml.ts');
    return (explanations) => yamlView(forecastList(explanations));
  },
  markdown: async () => (await import('../../forecast/views/explain/markdown.ts')).explainMarkdownView,
  html: async () => (await import('../../forecast/views/explain/html.ts')).explainHtmlView,
};

/** Forms for programs, which come in one order whatever is asked for. */
const FOR_PROGRAMS: ReadonlySet<string> = new Set(['json', 'yaml']);

export const explainVmi = buildCommand<Flags, string[], CliContext>({
  docs: {
    brief: 'Everything about one VM: each decision, each rule tried, each input read',
    fullDescription:
      'Shows what an upgrade, a drain and an eviction do to a VM with the whole trace: the decisions in their order, the rules ' +
      'that each tried, what they read, which one decided, and what would change the answer.',
  },
  parameters: {
    positional: {
      kind: 'array',
      parameter: {
        parse: text,
        placeholder: 'namespace/vm',
        brief: 'VMs to explain; with -n also bare names',
      },
    },
    flags: {
      ...planFlags,
      namespace: { ...planFlags.namespace, brief: 'Namespace of bare names, and of the VMs that -l takes' },
      allNamespaces: {
        ...planFlags.allNamespaces,
        brief: 'Of all namespaces what -l takes; so it is without -n, too',
      },
      selector: {
        ...planFlags.selector,
        brief: 'Explain every VM with these labels, on the VM, its VMI or its launcher pod',
      },
      output: {
        ...planFlags.output,
        values: [...OUTPUTS, 'text'],
        brief: 'Form of the answer; wide tells all that every rule read; text is the table',
      },
      sortBy: {
        ...planFlags.sortBy,
        brief: 'Order of the VMs by the worst that is foretold; json and yaml keep to namespace and name',
      },
      headers: { ...planFlags.headers, brief: 'One bare line for each VM and occasion, for scripts' },
      failOn: {
        ...planFlags.failOn,
        brief: 'Exit with 1 when a VM has this outcome or a worse one on any occasion',
      },
    },
    aliases: planAliases,
  },
  async func(flags, ...names) {
    if (names.length === 0 && !flags.selector) {
      throw new DroverError(
        'WrongFlags',
        'name the VMs to explain, or give -l',
        'For example: shop/db-0, or -l app=db.',
      );
    }
    const input = await readCluster(this, flags);
    warn(this, input);
    const options = askOptions(this, flags, input);
    const vms = vmsToExplain(input.fleet, names, flags, options);
    const explanations = await explained(this, input.fleet, vms, options);
    await show(this, flags, explanations);
  },
});

function vmsToExplain(
  fleet: Fleet,
  names: readonly string[],
  { namespace }: Flags,
  { scope }: AskOptions,
): string[] {
  if (names.length === 0) return vmsInScope(fleet, scope);
  return [...new Set(names.map((name) => requireVm(fleet, name, namespace)))].sort(compareText);
}

async function explained(
  context: CliContext,
  fleet: Fleet,
  vms: readonly string[],
  options: AskOptions,
): Promise<Explanation[]> {
  const explanations: Explanation[] = [];
  for (const vm of vms) {
    const forecasts = await context.answers.explainVmi(fleet, vm, { ...options, explain: true });
    explanations.push({ vm, forecasts });
  }
  return explanations;
}

/** Writes the answer and sets the exit code by the worst of the forecasts. */
async function show(context: CliContext, flags: Flags, explanations: readonly Explanation[]): Promise<void> {
  const output = flags.output === 'text' ? 'table' : flags.output;
  const ordered = FOR_PROGRAMS.has(output) ? explanations : sortedExplanations(explanations, flags.sortBy);
  const fails = explanations.some(({ forecasts }) => forecasts.some((one) => failsGate(one, flags.failOn)));
  const view = await VIEWS[output]();
  context.process.exitCode = fails ? EXIT.worse : EXIT.ok;
  context.process.stdout.write(view(ordered, viewOptions(context, { ...flags, output })));
}

/** All forecasts about all the VMs, as one object. */
function forecastList(explanations: readonly Explanation[]): object {
  const items = explanations.flatMap(({ forecasts }) => forecasts);
  return { apiVersion: 'drover.dev/v1alpha1', kind: 'ForecastList', items };
}
