import type { Evidence, TraceStep } from '../../../decide/rules.ts';
import { addToGroup } from '../../../kubevirt/group-by.ts';
import { counted } from '../../../kubevirt/words.ts';
import type { Stage, VmVerdict } from '../../forecast.ts';
import { markOfOutcome } from '../mark.ts';
import { advice, bullets, code, ICON, plain } from '../markdown.ts';
import { whyOf } from '../remedies.ts';
import { isBreaking } from '../severity.ts';
import { paragraphs, truncate } from '../text.ts';
import { valueText } from './explain.ts';
import { besides, type Explanation, type Way, waysOf, worstOf } from './explanation.ts';

const LONGEST_VALUE = 120;
/** A comment on a pull request holds about 65 000 characters; one VM takes about 10 000. */
const MOST_VMS = 5;

/**
 * One VM (or several) as a comment for a pull request or an issue: what becomes of it on each occasion, what would help and
 * what would change the answer; the decisions with every rule that was tried are folded away.
 *
 * Promise: names, values and messages show as they are; nothing in them becomes markup, a mention or a link. At most five
 * VMs are told, and the rest is counted.
 */
export function explainMarkdownView(explanations: readonly Explanation[]): string {
  const told = explanations.slice(0, MOST_VMS);
  const more = explanations.length - told.length;
  return paragraphs([
    ...told.flatMap(explained),
    more > 0 ? [`… and ${counted(more, 'VM')} more.`] : [],
    bullets('Warnings', besides(told, ({ warnings }) => warnings).map(plain)),
    bullets('Not in the input', besides(told, ({ missing }) => missing).map(plain)),
  ]);
}

function explained(explanation: Explanation): string[][] {
  const ways = waysOf(explanation);
  const worst = worstOf(explanation);
  return [
    [`### ${ICON[markOfOutcome(worst?.outcome)]} ${plain(worst?.message ?? explanation.vm)}`],
    outcomeTable(ways),
    bullets('What an eviction is answered', onWhich(ways, answerTexts)),
    bullets(
      'What to do',
      onWhich(ways, ({ remedies }) => remedies.map(advice)),
    ),
    bullets('What would change the answer', onWhich(ways, changeTexts)),
    ...ways.map(({ occasion, verdict }) => folded(occasion, verdict)),
  ];
}

function answerTexts({ answer }: VmVerdict): string[] {
  return answer ? [`${code(String(answer.code))} ${plain(answer.message)}`] : [];
}

function changeTexts({ alternatives = [] }: VmVerdict): string[] {
  return alternatives.map(
    ({ change, outcome, reason }) => `if ${plain(change)}: ${outcome} (${code(reason)})`,
  );
}

/** Each text once, with the occasions on which it holds, unless it holds on all. */
function onWhich(ways: readonly Way[], textsOf: (verdict: VmVerdict) => readonly string[]): string[] {
  const occasions = new Map<string, string[]>();
  for (const { occasion, verdict } of ways)
    for (const text of textsOf(verdict)) addToGroup(occasions, text, occasion);
  return [...occasions].map(([text, held]) =>
    held.length === ways.length ? text : `${plain(held.join(', '))}: ${text}`,
  );
}

function outcomeTable(ways: readonly Way[]): string[] {
  if (ways.length === 0) return [];
  return [
    '| Occasion | Outcome | Reason | Why |',
    '| --- | --- | --- | --- |',
    ...ways.map(
      ({ occasion, verdict }) =>
        `| ${plain(occasion)} | ${outcomeText(verdict)} | ${code(verdict.reason)} | ${plain(whyOf(verdict))} |`,
    ),
  ];
}

function outcomeText({ outcome }: VmVerdict): string {
  return isBreaking(outcome) ? `**${outcome}**` : outcome;
}

/** The decisions of one occasion, or what decided where they were not kept. */
function folded(occasion: string, { stages, evidence }: VmVerdict): string[] {
  if (stages.length === 0) return bullets(`${plain(occasion)}: what decided`, evidence.map(readText));
  return [
    `<details><summary>${plain(occasion)}: ${counted(stages.length, 'decision')}, with every rule tried</summary>`,
    '',
    ...stages.flatMap(stageLines),
    '',
    '</details>',
  ];
}

function stageLines({ decision, says, trace }: Stage, index: number): string[] {
  return [`${index + 1}. **${plain(decision)}**: ${plain(says)}`, ...trace.flatMap(stepLines)];
}

/** The rule that decided shows what it read. */
function stepLines({ rule, asks, held, source, evidence }: TraceStep): string[] {
  const line = `   - ${held ? '✓' : '✗'} ${code(rule)} ${plain(asks)}`;
  if (!held) return [line];
  return [`${line} (${plain(source)})`, ...evidence.map((read) => `     - ${readText(read)}`)];
}

function readText({ object, path, value }: Evidence): string {
  const field = path === '' ? '' : ` ${code(path)}`;
  return `${plain(object)}${field} = ${code(truncate(valueText(value), LONGEST_VALUE))}`;
}
