import type { Outcome } from '../forecast.ts';

/** Puts a text in a style; without colour it gives the text back. Painted text is for the terminal only, after padding. */
export interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly outcome: (outcome: Outcome, text: string) => string;
  readonly mark: (mark: Mark) => string;
}

/** `✓` nothing disruptive, `!` to look at, `✗` something breaks. */
export type Mark = '✓' | '!' | '✗';

const BOLD = '1';
const DIM = '2';
const RED = '31';
const GREEN = '32';
const YELLOW = '33';
const BLUE = '34';
const MAGENTA = '35';
const CYAN = '36';

const OUTCOME_COLOUR: Readonly<Record<Outcome, string>> = {
  Cut: RED,
  Blocks: RED,
  NeverCompletes: RED,
  StaysOff: RED,
  MayStayOff: YELLOW,
  Unknown: MAGENTA,
  HandedOver: CYAN,
  Restarts: YELLOW,
  Deferred: BLUE,
  LiveMigrates: GREEN,
  Untouched: DIM,
};

const MARK_COLOUR: Readonly<Record<Mark, string>> = { '✓': GREEN, '!': YELLOW, '✗': RED };

export function paintFor(colour: boolean): Paint {
  const style = (code: string, text: string): string => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
  return {
    bold: (text) => style(BOLD, text),
    dim: (text) => style(DIM, text),
    outcome: (outcome, text) => style(OUTCOME_COLOUR[outcome], text),
    mark: (mark) => style(`${BOLD};${MARK_COLOUR[mark]}`, mark),
  };
}
