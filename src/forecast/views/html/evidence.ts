import type { Evidence } from '../../../decide/rules.ts';
import { valueText } from '../explain/explain.ts';
import { html, NOTHING, type Safe } from './escape.ts';

/** The object once, then what was read of it. */
export function evidenceList(evidence: readonly Evidence[]): Safe {
  return html`<dl>${evidence.map(({ object, path, value }, index) => {
    const told = index > 0 && evidence[index - 1]?.object === object;
    return html`${told ? NOTHING : html`<dt>${object}</dt>`}<dd><code>${path}</code> ${valueText(value)}</dd>`;
  })}</dl>`;
}
