import type { TraceStep } from '../../../decide/rules.ts';
import type { Stage } from '../../forecast.ts';
import { html, NOTHING, type Safe } from './escape.ts';
import { evidenceList } from './evidence.ts';

/** Every decision in its order; each rule unfolds to what it read, and the one that decided is open. `anchor` names the list in links. */
export function stageList(stages: readonly Stage[], anchor: string): Safe {
  return html`<ol class="stages">${stages.map(
    (
      stage,
      index,
    ) => html`<li id="${stageAnchor(anchor, index)}">${stageHead(stage)}${stage.trace.map(rule)}</li>
`,
  )}</ol>`;
}

/** Where a link to one stage leads. */
export function stageAnchor(anchor: string, index: number): string {
  return `${anchor}-${index + 1}`;
}

function stageHead({ decision, says, reason }: Stage): Safe {
  return html`<p><b>${decision}</b>: ${says} <code>${reason}</code></p>`;
}

function rule({ rule: name, asks, source, held, evidence }: TraceStep): Safe {
  const [state, tick, word] = held ? ['held', '✓', 'holds:'] : ['not', '✗', 'does not hold:'];
  const read = evidence.length > 0 ? evidenceList(evidence) : NOTHING;
  const decides = held ? html`<b>This decides.</b> ` : NOTHING;
  return html`<details class="rule ${state}"${held ? html` open` : NOTHING}><summary><span class="tick" role="img" aria-label="${word}">${tick}</span><span><code>${name}</code> ${asks}</span></summary>${read}<p>${decides}Rule from ${source}</p></details>`;
}
