import type { CommandContext, StricliProcess } from '@stricli/core';
import type { Instant } from '../kubevirt/time.ts';
import type { Answers, ReadInput, ReadLive } from './ports.ts';
import type { Services } from './services.ts';

/** What every command runs with. */
export interface CliContext extends CommandContext {
  readonly process: StricliProcess;
  /** How the user called Drover: `drover` or `kubectl drover`. */
  readonly program: string;
  readonly version: string;
  readonly terminal: Terminal;
  readonly now: () => Instant;
  readonly readInput: ReadInput;
  readonly readLive: ReadLive;
  readonly answers: Answers;
  readonly services: Services;
}

/** What is known of the terminal. */
export interface Terminal {
  /** Columns of stdout; 100 where it is no terminal. */
  readonly width: number;
  /** stdout is a terminal, which can be drawn on anew; not where absent. */
  readonly isTerminal?: boolean | undefined;
  /** stdout takes colour. */
  readonly colour: boolean;
  /** stderr is watched by a person: progress may be shown there. */
  readonly watched: boolean;
}
