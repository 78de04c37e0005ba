import type { Evidence, TraceStep } from '../../../decide/rules.ts';
import type { Forecast, VmVerdict } from '../../forecast.ts';
import { remedyLines } from '../cure.ts';
import { markOfOutcome } from '../mark.ts';
import type { ViewOptions } from '../options.ts';
import { type Paint, paintFor } from '../paint.ts';
import { keyOfVm } from '../remedies.ts';
import { hanging, padEnd, paragraphs, printable, truncate, wrap } from '../text.ts';
import { type Explanation, verdictOn } from './explanation.ts';
import { explainRowsView } from './rows.ts';

/** Every forecast about each VM, one below the other; without headers one line for each VM and occasion. */
export function explainTableView(
  explanations: readonly Explanation[],
  options: ViewOptions,
  isWide = false,
): string {
  if (!options.headers) return explainRowsView(explanations, options);
  return explanations
    .flatMap(({ vm, forecasts }) => forecasts.map((forecast) => explainView(forecast, vm, options, isWide)))
    .join('\n');
}

/**
 * Everything about one VM: the verdict, each decision on the way with the rules it tried in order, the inputs they read
 * by field path, which rule decided, and what would change the answer.
 *
 * Promise: a VM that the forecast does not have gives the title alone. Rules that did not hold are told in short: what
 * they read once and cut, not where they come from; `isWide` tells all of it.
 */
export function explainView(forecast: Forecast, vmKey: string, options: ViewOptions, isWide = false): string {
  const paint = paintFor(options.colour);
  const { width } = options;
  const vm = verdictOn(forecast, vmKey);
  const title = wrap(`── ${printable(forecast.spec.title)}`, width).map(paint.bold);
  if (!vm) return paragraphs([title]);
  return paragraphs([
    [...title, ...verdictLines(vm, width, paint)],
    ...stages(vm, { width, paint, isWide }),
    vm.stages.length === 0 ? evidenceBlock(vm.evidence, width, paint) : [],
    answerLines(vm, width),
    laterLines(vm, width, paint),
    list('What would change the answer', alternatives(vm), width, paint),
    list('What to do', vm.remedies, width, paint),
    list('Not in the input', forecast.status.missing, width, paint),
  ]);
}

/** Other outcomes, each with the one change that brings it about. */
function alternatives(vm: VmVerdict): string[] {
  return (vm.alternatives ?? []).map(({ change, outcome, reason }) => `if ${change}: ${outcome} (${reason})`);
}

/** What an eviction request gets back. */
function answerLines({ answer }: VmVerdict, width: number): string[] {
  if (answer === undefined) return [];
  return hanging(`An eviction is answered ${answer.code}: `, printable(answer.message), width);
}

function laterLines(vm: VmVerdict, width: number, paint: Paint): string[] {
  const texts = (vm.later ?? []).map(
    ({ when, before, after, message }) =>
      `${when}: ${before === after ? after : `${before} → ${after}`}. ${message}`,
  );
  return list('Later', texts, width, paint);
}

function verdictLines(vm: VmVerdict, width: number, paint: Paint): string[] {
  const where = vm.node === undefined ? '' : ` on ${vm.node}`;
  const outcome = paint.outcome(vm.outcome, vm.outcome);
  const batch = vm.batch === undefined ? '' : `, eviction batch ${vm.batch}`;
  return [
    `${paint.mark(markOfOutcome(vm.outcome))} ${paint.bold(printable(keyOfVm(vm)))}${printable(where)}: ${outcome} (${printable(vm.reason)}${batch})`,
    ...hanging('  ', printable(vm.message), width),
  ];
}

interface Style {
  readonly width: number;
  readonly paint: Paint;
  readonly isWide: boolean;
}

/** Every decision on the way. What a rule that did not hold read is told once: the next rules read much the same. */
function stages(vm: VmVerdict, style: Style): string[][] {
  const told = new Set<string>();
  return vm.stages.map((stage, index) => {
    const head = `${index + 1}. ${printable(stage.decision)}: `;
    const title = hanging(head, printable(stage.says), style.width).map(style.paint.bold);
    return [...title, ...stage.trace.flatMap((step) => stepLines(step, told, style))];
  });
}

/** A rule that did not hold takes a line or two; the one that decided shows what it read and where the rule comes from. */
function stepLines(step: TraceStep, told: Set<string>, { width, paint, isWide }: Style): string[] {
  const question = `${step.rule}: ${step.asks}`;
  const source = `${step.held ? 'this decides; ' : ''}rule from ${step.source}`;
  const inFull = [
    ...evidenceLines(step.evidence, width),
    ...hanging('       ', printable(source), width).map(paint.dim),
  ];
  if (step.held) return [...hanging('   ✓ ', printable(question), width).map(paint.bold), ...inFull];
  const reads = isWide ? '' : readsInline(step.evidence, told);
  const lines = hanging('   ✗ ', printable(`${question}${reads}`), width).map(paint.dim);
  return isWide ? [...lines, ...inFull] : lines;
}

const LONGEST_INLINE = 40;

function readsInline(evidence: readonly Evidence[], told: Set<string>): string {
  const fresh = evidence.filter(({ object, path }) => !told.has(`${object}\n${path}`));
  for (const { object, path } of fresh) told.add(`${object}\n${path}`);
  if (fresh.length === 0) return '';
  const reads = fresh.map(({ path, value }) => `${path} = ${truncate(valueText(value), LONGEST_INLINE)}`);
  return ` (${reads.join(', ')})`;
}

function evidenceBlock(evidence: readonly Evidence[], width: number, paint: Paint): string[] {
  return evidence.length === 0 ? [] : [paint.bold('What decided'), ...evidenceLines(evidence, width)];
}

/** Grouped by object in order of appearance; paths aligned. */
function evidenceLines(evidence: readonly Evidence[], width: number): string[] {
  const longest = Math.max(0, ...evidence.map(({ path }) => path.length));
  const pathWidth = Math.min(longest, 50);
  let object = '';
  return evidence.flatMap((read) => {
    const lines = read.object === object ? [] : [`       ${printable(read.object)}`];
    object = read.object;
    const head = `         ${padEnd(printable(read.path), pathWidth)}  `;
    return [...lines, ...hanging(head, printable(valueText(read.value)), width)];
  });
}

/** A value as a person reads it: text bare, nothing as `(absent)`, everything else as JSON. */
export function valueText(value: unknown): string {
  if (value === undefined) return '(absent)';
  return typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
}

function list(title: string, texts: readonly string[], width: number, paint: Paint): string[] {
  if (texts.length === 0) return [];
  return [paint.bold(title), ...texts.flatMap((text) => remedyLines('  - ', text, width))];
}
