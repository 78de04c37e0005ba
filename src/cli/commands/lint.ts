import { buildCommand } from '@stricli/core';
import { type LintReport, SEVERITIES, type Severity } from '../../forecast/lint/finding.ts';
import type { ViewOptions } from '../../forecast/views/options.ts';
import { askOptions, readCluster } from '../ask.ts';
import type { CliContext } from '../context.ts';
import { type InputFlags, inputAliases, inputFlags } from '../flags.ts';
import { EXIT } from '../gate.ts';
import { text } from '../parsers.ts';
import { viewOptions, warn } from '../show.ts';

const LINT_OUTPUTS = ['table', 'wide', 'name', 'markdown', 'json', 'yaml'] as const;
type LintOutput = (typeof LINT_OUTPUTS)[number];

type Flags = InputFlags & {
  readonly launcherImage?: string;
  readonly output: LintOutput;
  readonly failOn: Severity | 'never';
};

type LintView = (report: LintReport, options: ViewOptions) => string;

const VIEWS: Readonly<Record<LintOutput, () => Promise<LintView>>> = {
  table: async () => (await import('../../forecast/views/lint.ts')).lintView,
  wide: async () => {
    const { lintView } = await import('../../forecast/views/lint.ts');
    return (report, options) => lintView(report, options, true);
  },
  name: async () => (await import('../../forecast/views/lint.ts')).lintNameView,
  markdown: async () => (await import('../../forecast/views/lint-markdown.ts')).lintMarkdownView,
  json: async () => (await import('../../forecast/views/json.ts')).jsonView,
  yaml: async () => (await import('../../forecast/views/yaml.ts')).yamlView,
};

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
      output: {
        kind: 'enum',
        placeholder: 'form',
        values: LINT_OUTPUTS,
        default: 'table',
        brief: 'Form of the answer',
      },
      failOn: {
        kind: 'enum',
        placeholder: 'severity',
        values: [...SEVERITIES, 'never'],
        default: 'error',
        brief: 'Exit with 1 when there is a finding of this severity or a worse one',
      },
    },
    aliases: { ...inputAliases, o: 'output' },
  },
  async func(flags) {
    const input = await readCluster(this, flags);
    warn(this, input);
    const launcherImage = flags.launcherImage ?? input.launcherImage;
    const options = askOptions(this, { ...flags, allNamespaces: true }, input);
    const report = await this.answers.lint(input.fleet, { ...options, launcherImage });
    const view = await VIEWS[flags.output]();
    const { fails } = await import('../../forecast/lint/lint.ts');
    this.process.exitCode = flags.failOn !== 'never' && fails(report, flags.failOn) ? EXIT.worse : EXIT.ok;
    const shown = viewOptions(this, { ...flags, output: 'table', sortBy: 'outcome', headers: true });
    this.process.stdout.write(view(report, shown));
  },
});
