import { OUTCOMES, type Outcome } from '../../forecast/forecast.ts';
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
  const differed = of.filter(({ differs }) => differs.length > 0).length;
  return of.length === 0 ? [] : [{ action, outcome, agreed: of.length - differed, differed }];
}

/** The tally in columns. */
export function tellTally(rows: readonly TallyRow[]): string {
  const total = {
    agreed: rows.reduce((sum, { agreed }) => sum + agreed, 0),
    differed: rows.reduce((sum, { differed }) => sum + differed, 0),
  };
  return [
    line('ACTION', 'OUTCOME', 'AGREED', 'DIFFERED'),
    ...rows.map(({ action, outcome, agreed, differed }) => line(action, outcome, agreed, differed)),
    line('', 'all', total.agreed, total.differed),
  ].join('\n');
}

function line(action: string, outcome: string, agreed: unknown, differed: unknown): string {
  return `${action.padEnd(9)}${outcome.padEnd(16)}${String(agreed).padStart(7)}${String(differed).padStart(10)}`;
}

/** One VM that went another way than was foretold, and how to see it again. */
export function tellDifference(
  { trial }: Finding,
  { verdict, differs, clean, ignores, without }: VmFinding,
): string {
  const { seed, action, behavior } = trial;
  return [
    `${verdict.namespace}/${verdict.name} of seed ${seed}, ${action}, ${behavior}, guests ${differs.join(' and ')}`,
    `  foretold  ${verdict.outcome} ${verdict.reason}: ${verdict.message}`,
    ...Object.entries({ clean, ignores, without }).map(([name, { result, reason, story }]) => {
      const { attempts, failures, evictionsAccepted } = story;
      const moves = `${story.moves.length} moves, ${story.outages.length} outages, ${attempts} migrations`;
      return `  ${name.padEnd(9)} ${result} ${reason}: ${moves} (${failures} failed), ${evictionsAccepted} evictions`;
    }),
    `  again     npm run accuracy -- --clusters 1 --seed ${seed} --action ${action} --behavior ${behavior}`,
  ].join('\n');
}
