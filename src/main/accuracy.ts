/**
 * `npm run accuracy -- [--clusters 300] [--seed N] [--action drain|upgrade] [--behavior exact|intended] [--with pods,volumes,…|all] [--lab [--labs 4]]`: foretells
 * what becomes of the VMs of random clusters, does it, and compares: in the simulator, or on a real API server (`--lab`, 40
 * clusters where no number is given). Exits 1 when a VM goes another way, 2 when it cannot be told.
 */
import { parseArgs } from 'node:util';
import type { Behavior } from '../decide/rules.ts';
import { messageOf } from '../kubevirt/thrown.ts';
import { examine, type Finding } from '../rehearsal/accuracy/examine.ts';
import { FURTHER_NAMES, type FurtherName } from '../rehearsal/accuracy/further/further.ts';
import { isWrong, tally, tellDifference, tellTally } from '../rehearsal/accuracy/tally.ts';
import { ACTIONS, drawTrial, type Trial, type TrialAction } from '../rehearsal/accuracy/trial.ts';
import { examineOnLabs } from './lab/trials.ts';

const { values } = parseArgs({
  options: {
    clusters: { type: 'string' },
    seed: { type: 'string', default: '0' },
    action: { type: 'string' },
    behavior: { type: 'string', default: 'exact' },
    with: { type: 'string', default: '' },
    lab: { type: 'boolean', default: false },
    labs: { type: 'string', default: '4' },
  },
});

const CLUSTERS = { simulator: '300', lab: '40' } as const;
/** Differences that are told in full. */
const TOLD = 5;

try {
  tell(await examineAll(trials()));
} catch (error) {
  console.error(`accuracy: ${messageOf(error)}`);
  process.exitCode = 2;
}

/** Each action on every cluster. */
function trials(): Trial[] {
  const actions: readonly TrialAction[] = ACTIONS.filter(
    (action) => values.action === undefined || action === values.action,
  );
  if (actions.length === 0) throw new Error(`no action ${values.action}: give ${ACTIONS.join(' or ')}`);
  const first = wholeNumber(values.seed);
  const clusters = wholeNumber(values.clusters ?? CLUSTERS[values.lab ? 'lab' : 'simulator']);
  const behavior = behaviorOf();
  const further = furtherOf(values.with);
  return Array.from({ length: clusters }, (_, drawn) => first + drawn).flatMap((seed) =>
    actions.map((action) => drawTrial(seed, action, behavior, further)),
  );
}

async function examineAll(drawn: readonly Trial[]): Promise<Finding[]> {
  let done = 0;
  const onFinding = (): void => {
    done++;
    if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${drawn.length} trials `);
  };
  const findings = values.lab
    ? await examineOnLabs(drawn, wholeNumber(values.labs), onFinding)
    : await examineOneByOne(drawn, onFinding);
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  return findings;
}

async function examineOneByOne(drawn: readonly Trial[], onFinding: () => void): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const trial of drawn) {
    findings.push(await examine(trial));
    onFinding();
  }
  return findings;
}

function behaviorOf(): Behavior {
  if (values.behavior === 'exact' || values.behavior === 'intended') return values.behavior;
  throw new Error(`no behaviour ${values.behavior}: give exact or intended`);
}

/** By their names; `all` is every one. */
function furtherOf(text: string): readonly FurtherName[] {
  if (text === 'all') return FURTHER_NAMES;
  return text
    .split(',')
    .filter((name) => name !== '')
    .map((name) => {
      const known = FURTHER_NAMES.find((one) => one === name);
      if (known) return known;
      throw new Error(`nothing called ${name}: give all, or some of ${FURTHER_NAMES.join(', ')}`);
    });
}

function wholeNumber(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new Error(`"${text}" is no whole number`);
}

function tell(findings: readonly Finding[]): void {
  console.log(tellTally(tally(findings)));
  const differing = findings.flatMap((finding) =>
    finding.vms.filter(isWrong).map((vm) => tellDifference(finding, vm, values.lab ? ' --lab' : '')),
  );
  if (differing.length === 0) return;
  console.log(['', ...differing.slice(0, TOLD)].join('\n'));
  process.exitCode = 1;
}
