import {
  type Application,
  buildApplication,
  buildRouteMap,
  type Command,
  type RouteMap,
  version as versionFlag,
} from '@stricli/core';
import { DUMP_COMMAND } from '../dump/errors.ts';
import { check } from './commands/check.ts';
import { completion } from './commands/completion.ts';
import { controller } from './commands/controller.ts';
import { explainVmi } from './commands/explain-vmi.ts';
import { labAgents } from './commands/lab-agents.ts';
import { labDown } from './commands/lab-down.ts';
import { labRun } from './commands/lab-run.ts';
import { labStatus } from './commands/lab-status.ts';
import { labUp } from './commands/lab-up.ts';
import { labUpgrade } from './commands/lab-upgrade.ts';
import { lint } from './commands/lint.ts';
import { planConfig } from './commands/plan-config.ts';
import { planDrain } from './commands/plan-drain.ts';
import { planEdit } from './commands/plan-edit.ts';
import { planEvict } from './commands/plan-evict.ts';
import { planRound } from './commands/plan-round.ts';
import { planUpgrade } from './commands/plan-upgrade.ts';
import { simulate } from './commands/simulate.ts';
import { status } from './commands/status.ts';
import { version } from './commands/version.ts';
import { webhook } from './commands/webhook.ts';
import type { CliContext } from './context.ts';
import { EXIT } from './gate.ts';
import { helpFlag } from './help/flag.ts';
import { textFor } from './text.ts';

const plan = buildRouteMap({
  routes: {
    upgrade: planUpgrade,
    drain: planDrain,
    round: planRound,
    evict: planEvict,
    config: planConfig,
    edit: planEdit,
  },
  docs: { brief: 'Says beforehand what a change does to every VM' },
});

const explain = buildRouteMap({
  routes: { vmi: explainVmi },
  aliases: { vm: 'vmi' },
  docs: { brief: 'Says why, with everything that was read' },
});

const lab = buildRouteMap({
  routes: {
    up: labUp,
    status: labStatus,
    upgrade: labUpgrade,
    down: labDown,
    run: labRun,
    agents: labAgents,
  },
  docs: { brief: 'A KubeVirt cluster without hypervisors, on a real API server' },
});

const root = buildRouteMap({
  routes: { plan, explain, lint, check, status, simulate, lab, controller, webhook, version, completion },
  docs: {
    brief: 'Says beforehand what an upgrade or a node drain does to every KubeVirt VM',
    fullDescription: [
      'Says beforehand what an upgrade or a node drain does to every KubeVirt VM.',
      '',
      'Write your cluster to a file, then ask about it:',
      `  ${DUMP_COMMAND}`,
      '  drover plan upgrade -f cluster.yaml',
      '  drover plan drain NODE -f cluster.yaml',
      '',
      'Exit codes of plan, explain and lint: 0 nothing as bad as --fail-on, 1 something as bad or worse, 2 could not evaluate.',
    ].join('\n'),
  },
});

/** Few enough that a suggestion is a likely one; weights as git has them. */
const DISTANCE = {
  threshold: 3,
  weights: { insertion: 1, deletion: 3, substitution: 2, transposition: 0 },
} as const;

/** What the command line depends on: the name by which it was called, the version, the terminal's width, `DROVER_DEBUG`. */
export interface AppSettings {
  readonly program: string;
  readonly version: string;
  readonly width: number;
  readonly debug: boolean;
  /** What was typed behind the program's name. */
  readonly argv?: readonly string[];
  /** Called when a command has thrown. */
  readonly onFailure?: () => void;
}

/** The command line as stricli runs it; with `debug`, an error that nobody foresaw is told with its stack. */
export function appFor({
  program,
  version: currentVersion,
  width,
  debug,
  argv = [],
  onFailure = () => {},
}: AppSettings): Application<CliContext> {
  return buildApplication(
    root,
    {
      name: program,
      scanner: {
        caseStyle: 'allow-kebab-for-camel',
        allowArgumentEscapeSequence: true,
        distanceOptions: DISTANCE,
      },
      localization: { text: textFor([program, ...commandIn(argv)].join(' '), debug) },
      determineExitCode: () => {
        onFailure();
        return EXIT.failed;
      },
    },
    {
      help: helpFlag(width),
      version: versionFlag({ brief: 'Print the version', info: { currentVersion }, alias: false }),
    },
  );
}

/** The words that lead to a command, as far as they do. */
function commandIn(argv: readonly string[]): string[] {
  const words: string[] = [];
  let target: Command<CliContext> | RouteMap<CliContext> | undefined = root;
  for (const word of argv) {
    target = 'getRoutingTargetForInput' in target ? target.getRoutingTargetForInput(word) : undefined;
    if (!target) break;
    words.push(word);
  }
  return words;
}
