import { OUTCOMES, type Outcome } from '../../forecast/forecast.ts';
import { keyOfVm } from '../../forecast/views/remedies.ts';
import type { VmEnding } from '../rehearsal.ts';
import type { Finding, VmFinding } from './examine.ts';
import type { TrialAction } from './trial.ts';

export interface TallyRow {
  readonly action: TrialAction;
  readonly outcome: Outcome;
  readonly agreed: number;
  readonly differed: number;
}

/** How many VMs went as foretold and how many did not, by action and outcome, worst outcome first; none of those that do not occur. */
export function tally(findings: readonly Finding[]): TallyRow[] {
  const actions = [...new Set(findings.map(({ trial }) => trial.action))];
  return actions.flatMap((action) => {
    const vms = findings.flatMap((finding) => (finding.trial.action === action ? finding.vms : []));
    return OUTCOMES.flatMap((outcome) => rowOf(action, outcome, vms));
  });
}

function rowOf(action: TrialAction, outcome: Outcome, vms: readonly VmFinding[]): TallyRow[] {
  const of = vms.filter(({ verdict }) => verdict.outcome === outcome);
  const differed = of.filter(isWrong).length;
  return of.length === 0 ? [] : [{ action, outcome, agreed: of.length - differed, differed }];
}

/** Whether it went another way than was foretold, in one play at least. */
export function isWrong({ differs }: VmFinding): boolean {
  return differs.length > 0;
}

/** The tally in columns. */
export function tellTally(rows: readonly TallyRow[]): string {
  const sum = (column: 'agreed' | 'differed') => rows.reduce((total, row) => total + row[column], 0);
  return [
    line('ACTION', 'OUTCOME', 'AGREED', 'DIFFERED'),
    ...rows.map((row) => line(row.action, row.outcome, row.agreed, row.differed)),
    line('', 'all', sum('agreed'), sum('differed')),
  ].join('\n');
}

function line(action: string, outcome: string, ...numbers: readonly (string | number)[]): string {
  return [action.padEnd(9), outcome.padEnd(16), ...numbers.map((number) => String(number).padStart(10))].join(
    '',
  );
}

/** One VM that went another way than was foretold, and how to see it again; `flags`: what else the command was given. */
export function tellDifference(
  { trial }: Finding,
  { verdict, differs, courses }: VmFinding,
  flags = '',
): string {
  const { seed, action, behavior, further } = trial;
  const besides = further.length > 0 ? ` --with ${further.join(',')}` : '';
  return [
    `${keyOfVm(verdict)} of seed ${seed}, ${action}, ${behavior}, guests ${differs.join(' and ')}`,
    `  foretold  ${verdict.outcome} ${verdict.reason}: ${verdict.message}`,
    ...Object.entries(courses).flatMap(([guests, { played, without }]) => [
      `  ${guests.padEnd(9)} ${tellEnding(played)}`,
      `    without ${tellEnding(without)}`,
    ]),
    `  again     npm run accuracy -- --clusters 1 --seed ${seed} --action ${action} --behavior ${behavior}${besides}${flags}`,
  ].join('\n');
}

function tellEnding({ result, reason, story }: VmEnding): string {
  const { moves, outages, attempts, failures, evictionsAccepted } = story;
  const migrations = `${moves.length} moves, ${outages.length} outages, ${attempts} migrations (${failures} failed)`;
  return `${result} ${reason}: ${migrations}, ${evictionsAccepted} evictions`;
}
