/**
 * `npm run accuracy -- [--clusters 300] [--seed N] [--action drain|upgrade] [--behavior exact|intended]`: foretells what becomes of the
 * VMs of random clusters, does it in the simulator, and compares. Exits 1 when a VM goes another way, 2 when it cannot be told.
 */
import { parseArgs } from 'node:util';
import type { Behavior } from '../decide/rules.ts';
import { messageOf } from '../kubevirt/thrown.ts';
import { examine, type Finding } from '../rehearsal/accuracy/examine.ts';
import { isWrong, tally, tellDifference, tellTally } from '../rehearsal/accuracy/tally.ts';
import { ACTIONS, drawTrial, type TrialAction } from '../rehearsal/accuracy/trial.ts';

const { values } = parseArgs({
  options: {
    clusters: { type: 'string', default: '300' },
    seed: { type: 'string', default: '0' },
    action: { type: 'string' },
    behavior: { type: 'string', default: 'exact' },
  },
});

/** Differences that are told in full. */
const TOLD = 5;

try {
  const actions = ACTIONS.filter((action) => values.action === undefined || action === values.action);
  if (actions.length === 0) throw new Error(`no action ${values.action}: give ${ACTIONS.join(' or ')}`);
  const findings = await examineAll(actions, wholeNumber(values.seed), wholeNumber(values.clusters));
  tell(findings);
} catch (error) {
  console.error(`accuracy: ${messageOf(error)}`);
  process.exitCode = 2;
}

/** Each action on every cluster. */
async function examineAll(
  actions: readonly TrialAction[],
  seed: number,
  clusters: number,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (let drawn = 0; drawn < clusters; drawn++) {
    for (const action of actions) findings.push(await examine(drawTrial(seed + drawn, action, behaviorOf())));
    if (process.stderr.isTTY) process.stderr.write(`\r${drawn + 1} of ${clusters} clusters `);
  }
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  return findings;
}

function behaviorOf(): Behavior {
  if (values.behavior === 'exact' || values.behavior === 'intended') return values.behavior;
  throw new Error(`no behaviour ${values.behavior}: give exact or intended`);
}

function wholeNumber(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new Error(`"${text}" is no whole number`);
}

function tell(findings: readonly Finding[]): void {
  console.log(tellTally(tally(findings)));
  const differing = findings.flatMap((finding) =>
    finding.vms.filter(isWrong).map((vm) => tellDifference(finding, vm)),
  );
  if (differing.length === 0) return;
  console.log(['', ...differing.slice(0, TOLD)].join('\n'));
  process.exitCode = 1;
}
