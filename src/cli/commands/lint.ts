import { buildCommand } from '@stricli/core';
import { type LintReport, SEVERITIES, type Severity } from '../../forecast/lint/finding.ts';
import { LINT_SORT_KEYS, type LintSortKey, sortedReport } from '../../forecast/views/lint/report.ts';
import type { ViewOptions } from '../../forecast/views/options.ts';
import { askOptions, readCluster } from '../ask.ts';
import type { CliContext } from '../context.ts';
import {
  type InputFlags,
  inputFlags,
  type Output,
  planAliases,
  type ScopeFlags,
  scopeFlags,
  viewFlags,
} from '../flags.ts';
import { EXIT } from '../gate.ts';
import { text } from '../parsers.ts';
import { viewOptions, warn } from '../show.ts';

type Flags = InputFlags &
  ScopeFlags & {
    readonly launcherImage?: string;
    readonly output: Output;
    readonly sortBy: LintSortKey;
    readonly headers: boolean;
    readonly failOn: Severity | 'never';
  };

type LintView = (report: LintReport, options: ViewOptions) => string;

const VIEWS: Readonly<Record<Output, () => Promise<LintView>>> = {
  table: async () => (await import('../../forecast/views/lint/lint.ts')).lintView,
  wide: async () => {
    const { lintView } = await import('../../forecast/views/lint/lint.ts');
    return (report, options) => lintView(report, options, true);
  },
  name: async () => (await import('../../forecast/views/lint/lint.ts')).lintNameView,
  json: async () => (await import('../../forecast/views/json.ts')).jsonView,
  yaml: async () => (await import('../../forecast/views/yaml.ts')).yamlView,
  markdown: async () => (await import('../../forecast/views/lint/markdown.ts')).lintMarkdownView,
  html: async () => (await import('../../forecast/views/lint/html.ts')).lintHtmlView,
};

/** Forms for programs, which come in one order whatever is asked for. */
const FOR_PROGRAMS: ReadonlySet<Output> = new Set(['json', 'yaml']);

export const lint = buildCommand<Flags, [], CliContext>({
  docs: {
    brief: 'Traps in the settings and VMs of a cluster, before they bite',
    fullDescription:
      'Looks for settings and VMs that will hurt at the next drain, roll-out or edit, and says what to do about each.',
  },
  parameters: {
    flags: {
      ...inputFlags,
      launcherImage: {
        kind: 'parsed',
        parse: text,
        optional: true,
        placeholder: 'image',
        brief: 'The virt-launcher image of the running KubeVirt, where the input does not tell it',
      },
      namespace: {
        ...scopeFlags.namespace,
        brief:
          'Findings about this namespace, and about the whole cluster; about all namespaces if not given',
      },
      allNamespaces: {
        ...scopeFlags.allNamespaces,
        brief: 'Findings about all namespaces; so it is without -n, too',
      },
      selector: {
        ...scopeFlags.selector,
        brief:
          'Findings about VMs with these labels, on the VM, its VMI or its launcher pod, and about the whole cluster',
      },
      output: viewFlags.output,
      sortBy: {
        kind: 'enum',
        placeholder: 'key',
        values: LINT_SORT_KEYS,
        default: 'severity',
        brief: 'Order of the findings, ties worst first; json and yaml keep to the severity',
      },
      headers: { ...viewFlags.headers, brief: 'One bare line for each finding, for scripts' },
      failOn: {
        kind: 'enum',
        placeholder: 'severity',
        values: [...SEVERITIES, 'never'],
        default: 'error',
        brief: 'Exit with 1 when there is a finding of this severity or a worse one',
      },
    },
    aliases: planAliases,
  },
  async func(flags) {
    const input = await readCluster(this, flags);
    warn(this, input);
    const launcherImage = flags.launcherImage ?? input.launcherImage;
    const options = { ...askOptions(this, flags, input), launcherImage };
    const report = await this.answers.lint(input.fleet, options);
    const view = await VIEWS[flags.output]();
    const { fails } = await import('../../forecast/lint/lint.ts');
    this.process.exitCode = flags.failOn !== 'never' && fails(report, flags.failOn) ? EXIT.worse : EXIT.ok;
    const shown = FOR_PROGRAMS.has(flags.output) ? report : sortedReport(report, flags.sortBy);
    this.process.stdout.write(view(shown, viewOptions(this, { ...flags, sortBy: 'outcome' })));
  },
});
