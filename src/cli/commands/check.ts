import { buildCommand } from '@stricli/core';
import type { CheckReport } from '../../forecast/check/report.ts';
import type { ViewOptions } from '../../forecast/views/options.ts';
import { askOptions, liveSource, readCluster } from '../ask.ts';
import type { CliContext } from '../context.ts';
import { DroverError } from '../errors.ts';
import { type InputFlags, inputFlags, type ScopeFlags, scopeAliases, scopeFlags } from '../flags.ts';
import { EXIT } from '../gate.ts';
import { positiveNumber, positiveWholeNumber, text } from '../parsers.ts';
import { ProgressLine } from '../progress.ts';
import { viewOptions, warn } from '../show.ts';

const CHECK_OUTPUTS = ['table', 'wide', 'name', 'markdown', 'json', 'yaml'] as const;
type CheckOutput = (typeof CHECK_OUTPUTS)[number];

type Flags = Pick<InputFlags, 'context' | 'kubeconfig' | 'requestTimeout' | 'kubevirtVersion' | 'behavior'> &
  ScopeFlags & {
    readonly output: CheckOutput;
    readonly junit?: string;
    readonly rate: number;
    readonly parallel: number;
  };

type CheckView = (report: CheckReport, options: ViewOptions) => string;

const VIEWS: Readonly<Record<CheckOutput, () => Promise<CheckView>>> = {
  table: async () => (await import('../../forecast/views/check/check.ts')).checkView,
  wide: async () => {
    const { checkView } = await import('../../forecast/views/check/check.ts');
    return (report, options) => checkView(report, options, true);
  },
  name: async () => (await import('../../forecast/views/check/check.ts')).checkNameView,
  markdown: async () => (await import('../../forecast/views/check/markdown.ts')).checkMarkdownView,
  json: async () => (await import('../../forecast/views/json.ts')).jsonView,
  yaml: async () => (await import('../../forecast/views/yaml.ts')).yamlView,
};

export const check = buildCommand<Flags, [], CliContext>({
  docs: {
    brief: 'Whether a live cluster answers evictions as foretold; asks with dry runs only',
    fullDescription: [
      'Asks a live cluster to evict each launcher pod, as a dry run, so that its real webhooks answer; compares the answer with',
      'the forecast, and looks whether anything changed: the pod, its deletion, the mark on the VMI. Nothing may.',
      'You need the right to create pods/eviction.',
      '',
      'Exit codes: 0 everything agrees, 1 something differs, 2 could not evaluate.',
    ].join('\n'),
  },
  parameters: {
    flags: {
      rate: {
        kind: 'parsed',
        parse: positiveNumber,
        default: '10',
        placeholder: 'number',
        brief: 'Pods each second, at most; each takes five requests',
      },
      parallel: {
        kind: 'parsed',
        parse: positiveWholeNumber,
        default: '8',
        placeholder: 'number',
        brief: 'Pods at the same time, at most',
      },
      junit: {
        kind: 'parsed',
        parse: text,
        optional: true,
        placeholder: 'file',
        brief: 'Write a JUnit report for CI, too',
      },
      context: inputFlags.context,
      kubeconfig: inputFlags.kubeconfig,
      requestTimeout: inputFlags.requestTimeout,
      kubevirtVersion: inputFlags.kubevirtVersion,
      behavior: inputFlags.behavior,
      ...scopeFlags,
      output: {
        kind: 'enum',
        placeholder: 'form',
        values: CHECK_OUTPUTS,
        default: 'table',
        brief: 'Form of the answer',
      },
    },
    aliases: { ...scopeAliases, o: 'output' },
  },
  async func(flags) {
    const input = await readCluster(this, flags);
    warn(this, input);
    if (!input.fleet.isKnown('Pod')) throw new DroverError('NoPods', 'the pods of the cluster are not known');
    const { now: _, ...asked } = askOptions(this, flags, input);
    const { rate: perSecond, parallel } = flags;
    if (flags.junit !== undefined) await this.services.requireWritable(flags.junit);
    const request = { ...asked, source: liveSource(flags), perSecond, parallel };
    const progress = new ProgressLine(this);
    const report = await this.services.check(input.fleet, request, (done, all) =>
      progress.show(`asked about ${done} of ${all} pods …`),
    );
    progress.clear();
    if (flags.junit !== undefined) {
      const { junitView } = await import('../../forecast/views/check/junit.ts');
      await this.services.writeFile(flags.junit, junitView(report));
    }
    this.process.exitCode = exitCodeOf(report);
    const view = await VIEWS[flags.output]();
    const shown = viewOptions(this, { ...flags, output: 'table', sortBy: 'outcome', headers: true });
    this.process.stdout.write(view(report, shown));
  },
});

function exitCodeOf({ status: { counts } }: CheckReport): number {
  if (counts.Differs > 0) return EXIT.worse;
  return counts.Unknown > 0 ? EXIT.failed : EXIT.ok;
}
