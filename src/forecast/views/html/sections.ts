import type { ForecastSpec } from '../../forecast.ts';
import { remedyLine } from './advice.ts';
import { html, NOTHING, type Safe } from './escape.ts';

/** A section with one point for each text, a command at its end as code; nothing where there are none. */
export function textSection(title: string, texts: readonly string[]): Safe {
  if (texts.length === 0) return NOTHING;
  return html`<section><h2>${title}</h2><ul>${texts.map((text) => html`<li>${remedyLine(text)}</li>`)}</ul></section>`;
}

/** What was asked and the settings used, folded away, in a section of its own. */
export function askedSection(spec: ForecastSpec): Safe {
  return html`<section>${askedDetails(spec)}</section>`;
}

export function askedDetails({ action, kubevirtVersion, parameters }: ForecastSpec): Safe {
  const pairs = Object.entries({ action, kubevirtVersion, ...parameters });
  return html`<details><summary>What was asked, and the settings used</summary><dl class="pairs">${pairs.map(
    ([name, value]) =>
      html`<dt>${name}</dt><dd>${typeof value === 'string' ? value : (JSON.stringify(value) ?? '')}</dd>`,
  )}</dl></details>`;
}
