import { counted, someOf } from '../../kubevirt/words.ts';
import type { Forecast, VmVerdict } from '../forecast.ts';
import type { Column } from './columns.ts';
import { remedyPieces } from './cure.ts';
import { groupLater } from './later.ts';
import { markOf } from './mark.ts';
import type { ViewOptions } from './options.ts';
import { outcomesOf, sorted } from './order.ts';
import type { Mark } from './paint.ts';
import { groupRemedies, keyOfVm, whom, whyOf } from './remedies.ts';
import { isBreaking } from './severity.ts';
import { paragraphs, printable } from './text.ts';
import { timeColumns } from './time-columns.ts';

export const ICON: Readonly<Record<Mark, string>> = { '✓': '✅', '!': '⚠️', '✗': '❌' };
/** A comment on a pull request holds about 65 000 characters; this many rows stay well below. */
const MOST_ROWS = 150;
const LONGEST_CELL = 240;

/**
 * A comment for a pull request: the answer, the numbers, what would help; the VMs are folded away where they are many.
 *
 * Promise: names and messages show as they are; nothing in them becomes markup, a mention or a link. At most 150 VMs are
 * listed, worst first, and the rest is counted.
 */
export function markdownView(forecast: Forecast, options: Pick<ViewOptions, 'sortBy'>): string {
  const { status, spec } = forecast;
  return paragraphs([
    [`### ${ICON[markOf(forecast)]} ${plain(status.summary)}`],
    [plain(spec.title)],
    countTable(forecast),
    laterTable(forecast),
    remedyBlock(status.vms),
    vmTable(sorted(status.vms, options.sortBy)),
    bullets('Good to know', status.notes.map(advice)),
    bullets('Warnings', status.warnings.map(plain)),
    bullets('Not in the input', status.missing.map(plain)),
  ]);
}

/**
 * Text as text. GitHub looks for mentions and issue numbers after rendering, so an escape does not stop it there; a
 * zero-width space behind the sign does.
 */
export function plain(text: string): string {
  return printable(text)
    .replace(/[\\`*_[\]|~]/g, (character) => `\\${character}`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/[@#](?=\w)|\b(?:https?|ftp|www)(?=:|\.)/gi, (sign) => `${sign}&#8203;`);
}

/** A name as code. Names of objects have no backticks; where one does, it becomes an apostrophe. */
export function code(text: string): string {
  return `\`${printable(text).replaceAll('`', "'").replaceAll('|', '\\|')}\``;
}

/** A remedy, its command as code. */
export function advice(remedy: string): string {
  const pieces = remedyPieces(remedy);
  return pieces.map(({ kind, text }) => (kind === 'command' ? code(text) : plain(text))).join(' ');
}

function countTable(forecast: Forecast): string[] {
  const outcomes = outcomesOf(forecast);
  if (outcomes.length === 0) return [];
  return [
    `| ${outcomes.join(' | ')} |`,
    `|${' ---: |'.repeat(outcomes.length)}`,
    `| ${outcomes.map((outcome) => forecast.status.counts[outcome]).join(' | ')} |`,
  ];
}

function laterTable(forecast: Forecast): string[] {
  const groups = groupLater(forecast.status.vms);
  if (groups.length === 0) return [];
  return [
    '| When | Without the change | With it | VMs | Which |',
    '| --- | --- | --- | ---: | --- |',
    ...groups.map(
      ({ when, before, after, vms }) =>
        `| ${when} | ${before} | ${isBreaking(after) ? `**${after}**` : after} | ${vms.length} | ${plain(someOf(vms))} |`,
    ),
  ];
}

function remedyBlock(vms: readonly VmVerdict[]): string[] {
  const groups = groupRemedies(sorted(vms));
  if (groups.length === 0) return [];
  const lines = groups.flatMap((group) => [
    `- ${plain(whom(group))}`,
    ...group.remedies.map((remedy) => `  - ${advice(remedy)}`),
  ]);
  return ['**What would help**', '', ...lines];
}

/** A list under a title; nothing where there is nothing to list. */
export function bullets(title: string, texts: readonly string[]): string[] {
  return texts.length === 0 ? [] : [`**${title}**`, '', ...texts.map((text) => `- ${text}`)];
}

function vmTable(vms: readonly VmVerdict[]): string[] {
  if (vms.length === 0) return [];
  const times = timeColumns(vms);
  const shown = vms.slice(0, MOST_ROWS);
  const more = vms.length - shown.length;
  return [
    `<details${shown.length <= 20 ? ' open' : ''}><summary>${counted(vms.length, 'VM')}, one by one</summary>`,
    '',
    `| VM | Outcome | Reason |${times.map(({ header }) => ` ${titled(header)} |`).join('')} Why |`,
    `| --- | --- | --- |${' --- |'.repeat(times.length)} --- |`,
    ...shown.map((vm) => row(vm, times)),
    ...(more > 0 ? ['', `… and ${counted(more, 'VM')} more.`] : []),
    '',
    '</details>',
  ];
}

function titled(header: string): string {
  return `${header.slice(0, 1)}${header.slice(1).toLowerCase()}`;
}

function row(vm: VmVerdict, times: readonly Column<VmVerdict>[]): string {
  const outcome = isBreaking(vm.outcome) ? `**${vm.outcome}**` : vm.outcome;
  const why = whyOf(vm);
  const message = why.length > LONGEST_CELL ? `${why.slice(0, LONGEST_CELL)}…` : why;
  return `| ${code(keyOfVm(vm))} | ${outcome} | ${code(vm.reason)} |${times.map(({ cell }) => ` ${cell(vm)} |`).join('')} ${plain(message)} |`;
}
