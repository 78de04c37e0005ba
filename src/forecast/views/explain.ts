import type { Evidence, TraceStep } from '../../decide/rules.ts';
import type { Forecast, VmVerdict } from '../forecast.ts';
import { remedyLines } from './cure.ts';
import { markOfOutcome } from './mark.ts';
import type { ViewOptions } from './options.ts';
import { type Paint, paintFor } from './paint.ts';
import { keyOfVm } from './remedies.ts';
import { hanging, padEnd, paragraphs, printable, truncate, wrap } from './text.ts';

/**
 * Everything about one VM: the verdict, each decision on the way with the rules it tried in order, the inputs they read
 * by field path, which rule decided, and what would change the answer.
 *
 * Promise: a VM that the forecast does not have gives the title alone.
 */
export function explainView(forecast: Forecast, vmKey: string, options: ViewOptions): string {
  const paint = paintFor(options.colour);
  const { width } = options;
  const vm = forecast.status.vms.find((candidate) => keyOfVm(candidate) === vmKey);
  const title = wrap(`── ${printable(forecast.spec.title)}`, width).map(paint.bold);
  if (!vm) return paragraphs([title]);
  return paragraphs([
    [...title, ...verdictLines(vm, width, paint)],
    ...stages(vm, width, paint),
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

/** Every decision on the way. What a rule that did not hold read is told once: the next rules read much the same. */
function stages(vm: VmVerdict, width: number, paint: Paint): string[][] {
  const told = new Set<string>();
  return vm.stages.map((stage, index) => {
    const head = `${index + 1}. ${printable(stage.decision)}: `;
    const title = hanging(head, printable(stage.says), width).map(paint.bold);
    return [...title, ...stage.trace.flatMap((step) => stepLines(step, told, width, paint))];
  });
}

/** A rule that did not hold takes a line or two; the one that decided shows what it read and where the rule comes from. */
function stepLines(step: TraceStep, told: Set<string>, width: number, paint: Paint): string[] {
  const question = `${step.rule}: ${step.asks}`;
  if (!step.held) {
    return hanging('   ✗ ', printable(`${question}${readsInline(step.evidence, told)}`), width).map(
      paint.dim,
    );
  }
  return [
    ...hanging('   ✓ ', printable(question), width).map(paint.bold),
    ...evidenceLines(step.evidence, width),
    ...hanging('       ', printable(`this decides; rule from ${step.source}`), width).map(paint.dim),
  ];
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
