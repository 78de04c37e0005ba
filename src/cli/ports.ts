import type { Fleet } from '../fleet/fleet.ts';
import type { ForecastOptions } from '../forecast/context.ts';
import type { Forecast } from '../forecast/forecast.ts';
import type { LintOptions } from '../forecast/lint/context.ts';
import type { LintReport } from '../forecast/lint/finding.ts';
import type {
  ConfigQuestion,
  DrainQuestion,
  EditQuestion,
  EvictQuestion,
  RoundQuestion,
  Scope,
  UpgradeQuestion,
} from '../forecast/questions.ts';
import type { RolloutStatus } from '../forecast/status/report.ts';
import type { StatusQuestion } from '../forecast/status/status.ts';
import type { Instant } from '../kubevirt/time.ts';
import type { TimedAction } from '../rehearsal/timed/play-action.ts';
import type { TimeOptions } from '../rehearsal/timed/with-time.ts';

/** What the commands need of the world; `src/main/drover.ts` provides it, tests provide their own. */

/** A cluster that was read. */
export interface Input {
  readonly fleet: Fleet;
  /** What was odd about the files, one line each; goes to stderr. */
  readonly warnings: readonly string[];
  /** When the files were written, where they say so. */
  readonly takenAt?: Instant | undefined;
  /** The image of the running virt-controller's launchers, where the files say so. */
  readonly launcherImage?: string | undefined;
}

/** Called now and then while a file is read, with a line that tells how far it is. */
export type OnProgress = (line: string) => void;

/** Reads files, folders and `-` (stdin) into one fleet. Throws a coded error for what cannot be read. */
export type ReadInput = (sources: readonly string[], onProgress?: OnProgress) => Promise<Input>;

/** Which live cluster to read, as kubectl's flags of the same names say. */
export interface LiveSource {
  readonly context?: string | undefined;
  readonly kubeconfig?: string | undefined;
  readonly requestTimeoutSeconds?: number | undefined;
  /** Where to look for what the user may not see of the whole cluster. */
  readonly namespace?: string | undefined;
}

/** Reads a live cluster once. Throws a coded error when that fails, `NoInput` when there is no kubeconfig. */
export type ReadLive = (source: LiveSource, onProgress?: OnProgress) => Promise<Input>;

export interface AskOptions extends ForecastOptions {
  readonly scope: Scope;
}

type Plan<Question> = (fleet: Fleet, question: Question, options: AskOptions) => Promise<Forecast>;

/** The questions that can be answered. Each loads its code when it is asked first, so that `--help` stays quick. */
export interface Answers {
  readonly planUpgrade: Plan<UpgradeQuestion>;
  readonly planDrain: Plan<DrainQuestion>;
  readonly planRound: Plan<RoundQuestion>;
  readonly planEvict: Plan<EvictQuestion>;
  readonly planConfig: Plan<ConfigQuestion>;
  readonly planEdit: Plan<EditQuestion>;
  /** Every forecast that concerns one VM (`namespace/name`), each about that VM alone, traces kept. */
  readonly explainVmi: (fleet: Fleet, vm: string, options: AskOptions) => Promise<readonly Forecast[]>;
  readonly status: (fleet: Fleet, question: StatusQuestion, options: AskOptions) => Promise<RolloutStatus>;
  readonly lint: (fleet: Fleet, options: LintOptions) => Promise<LintReport>;
  /** The forecast with times, from simulated courses. */
  readonly withTime: (
    forecast: Forecast,
    fleet: Fleet,
    timed: TimedAction,
    options: TimeOptions,
  ) => Promise<Forecast>;
}
