import type { Behavior } from '../decide/rules.ts';
import { messageOf } from '../kubevirt/thrown.ts';
import { examine, type Finding } from '../rehearsal/accuracy/examine.ts';
import { FURTHER_NAMES, type FurtherName } from '../rehearsal/accuracy/further/further.ts';
import { isWrong, tally, tellDifference, tellTally } from '../rehearsal/accuracy/tally.ts';
import {
  ACTIONS,
  COMMON_ACTIONS,
  drawTrial,
  type Trial,
  type TrialAction,
} from '../rehearsal/accuracy/trial.ts';
import { examineOnLabs } from './lab/trials.ts';
import { countOf, refuse, scriptFlags } from './script-flags.ts';

const USAGE = `usage: npm run accuracy -- [flags]

Foretells what becomes of the VMs of random clusters, does it, and compares. Exits 1 when a VM goes
another way, 2 when it cannot be told.

  --clusters NUMBER   How many (default 300, with --lab 40)
  --seed NUMBER       The first cluster (default 0)
  --action ACTION     ${ACTIONS.join(', ')} (default ${COMMON_ACTIONS.join(' and ')})
  --behavior NAME     exact or intended (default exact)
  --with NAME,…|all   More in the clusters: ${FURTHER_NAMES.slice(0, 5).join(', ')},
                      ${FURTHER_NAMES.slice(5).join(', ')}
  --lab               On a real API server in place of the simulator
  --labs NUMBER       With --lab: so many at once (default 4)`;

const { values } = scriptFlags(USAGE, {
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
  const actions = actionsOf(values.action);
  const first = countOf(USAGE, 'seed', values.seed);
  const clusters = countOf(USAGE, 'clusters', values.clusters ?? CLUSTERS[values.lab ? 'lab' : 'simulator']);
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
    ? await examineOnLabs(drawn, countOf(USAGE, 'labs', values.labs), onFinding)
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
  return refuse(USAGE, `--behavior takes exact or intended, not "${values.behavior}"`);
}

function actionsOf(named: string | undefined): readonly TrialAction[] {
  if (named === undefined) return COMMON_ACTIONS;
  const known = ACTIONS.filter((action) => action === named);
  return known.length > 0 ? known : refuse(USAGE, `--action takes ${ACTIONS.join(' or ')}, not "${named}"`);
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
      return refuse(USAGE, `--with has nothing called "${name}"`);
    });
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
