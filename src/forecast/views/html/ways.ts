import type { Outcome, Stage } from '../../forecast.ts';
import type { Way } from '../explain/explanation.ts';
import { whyOf } from '../remedies.ts';
import { lettersOn } from './bar.ts';
import { html, type Safe } from './escape.ts';
import { stageAnchor } from './trace.ts';

const PILL_WIDTH = 132;
const PILL_HEIGHT = 28;

/** The way on every occasion as a picture: the decisions in their order, each leading to its rules, and the end in its colour. */
export function waysPicture(ways: readonly Way[], anchorOf: (index: number) => string): Safe {
  return html`<table class="ways"><tbody>${ways.map(({ occasion, verdict }, index) => {
    const anchor = anchorOf(index);
    const steps = verdict.stages.map((stage, step) => stepItem(stage, stageAnchor(anchor, step)));
    return html`<tr><th scope="row"><a href="#${anchor}">${occasion}</a></th><td><ol class="path">${steps}<li>${outcomePill(verdict.outcome)}</li></ol><small>${whyOf(verdict)}</small></td></tr>
`;
  })}</tbody></table>`;
}

function stepItem({ decision, reason }: Stage, anchor: string): Safe {
  return html`<li><a href="#${anchor}">${decision}<small>${reason}</small></a></li>`;
}

/** The outcome in its colour. */
export function outcomePill(outcome: Outcome): Safe {
  return html`<svg class="pill" role="img" aria-label="${outcome}" width="${PILL_WIDTH}" height="${PILL_HEIGHT}"><rect width="${PILL_WIDTH}" height="${PILL_HEIGHT}" rx="${PILL_HEIGHT / 2}" fill="var(--${outcome})"/><text class="${lettersOn(outcome)}" x="50%" y="50%">${outcome}</text></svg>`;
}
