import { OUTCOMES, type Outcome } from '../forecast.ts';

const RANK: ReadonlyMap<Outcome, number> = new Map(OUTCOMES.map((outcome, rank) => [outcome, rank]));

/** 0 is the worst. */
export function severityRank(outcome: Outcome): number {
  return RANK.get(outcome) ?? OUTCOMES.length;
}

/** Whether an outcome is at least as severe as another. */
export function isAsSevere(outcome: Outcome, threshold: Outcome): boolean {
  return severityRank(outcome) <= severityRank(threshold);
}

/** Nothing is interrupted: these may be summed up where there are many. */
export function isCalm(outcome: Outcome): boolean {
  return outcome === 'LiveMigrates' || outcome === 'Untouched';
}

/** Somebody has to do something, or a guest is lost. */
export function isBreaking(outcome: Outcome): boolean {
  return isAsSevere(outcome, 'MayStayOff');
}
