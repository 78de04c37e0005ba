import type { Forecast, Outcome } from '../forecast.ts';
import { html, NOTHING, type Safe } from './html/escape.ts';
import { nodePicture, stackedBar } from './html/picture.ts';
import { STYLE } from './html/style.ts';
import { vmSections } from './html/vms.ts';
import { groupLater } from './later.ts';
import { markOf } from './mark.ts';
import { MEANING } from './meaning.ts';
import type { ViewOptions } from './options.ts';
import { outcomesOf, sorted } from './order.ts';
import { groupRemedies, someOf, whom } from './remedies.ts';
import { counted } from './text.ts';

const MOOD = { '✓': 'good', '!': 'look', '✗': 'bad' } as const;
const MOOD_WORD = { '✓': 'Good:', '!': 'Look:', '✗': 'Problem:' } as const;

/**
 * One self-contained page: no script, no request to anywhere, readable in light and dark, on paper and without colours.
 *
 * Promise: nothing that comes from the cluster can become markup; a policy in the page forbids script and loading besides.
 */
export function htmlView(forecast: Forecast, options: Pick<ViewOptions, 'sortBy'>): string {
  const { spec, status } = forecast;
  const mark = markOf(forecast);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${status.summary}</title>
<style>${{ html: STYLE }}</style>
</head>
<body>
<main>
<header class="${MOOD[mark]}">
<p class="asked">${spec.title}</p>
<h1><span class="mark" role="img" aria-label="${MOOD_WORD[mark]}">${mark}</span><span>${status.summary}</span></h1>
</header>
${picture(forecast)}
${later(forecast)}
${help(forecast)}
${texts('Not in the input', status.missing)}
${texts('Warnings', status.warnings)}
${texts('Good to know', status.notes)}
${status.vms.length === 0 ? NOTHING : html`<section><h2>VMs, one by one</h2>${vmSections(forecast, options.sortBy)}</section>`}
${asked(forecast)}
<footer>Made by Drover. The same facts for programs: <code>-o json</code>.</footer>
</main>
</body>
</html>
`.html;
}

function picture(forecast: Forecast): Safe {
  const { counts, vms } = forecast.status;
  if (vms.length === 0) return NOTHING;
  const present = outcomesOf(forecast);
  return html`<section><h2>${counted(vms.length, 'VM')} <small>by what becomes of them</small></h2>
${stackedBar(new Map(present.map((outcome) => [outcome, counts[outcome]])), 36, true)}
<ul class="legend">${present.map((outcome) => legend(outcome, counts[outcome]))}</ul>
${new Set(vms.map((vm) => vm.node)).size > 1 ? html`<h3>By node</h3>${nodePicture(vms)}` : NOTHING}</section>`;
}

function legend(outcome: Outcome, count: number): Safe {
  return html`<li><span class="swatch" style="background:var(--${outcome})"></span><b>${count}</b><span>${outcome} <small>${MEANING[outcome]}</small></span></li>
`;
}

/** What a change of the configuration makes different later. */
function later(forecast: Forecast): Safe {
  const groups = groupLater(forecast.status.vms);
  if (groups.length === 0) return NOTHING;
  const swatch = (outcome: Outcome): Safe =>
    html`<span class="swatch" style="background:var(--${outcome})"></span> ${outcome}`;
  return html`<section><h2>What differs later</h2><table class="later"><thead><tr><th scope="col">WHEN</th><th scope="col">WITHOUT THE CHANGE</th><th scope="col">WITH IT</th><th scope="col">VMS</th><th scope="col">WHICH</th></tr></thead>
<tbody>${groups.map(
    ({ when, before, after, vms }) =>
      html`<tr><td>${when}</td><td>${swatch(before)}</td><td>${swatch(after)}</td><td>${vms.length}</td><td>${someOf(vms)}</td></tr>`,
  )}</tbody></table></section>`;
}

function help(forecast: Forecast): Safe {
  const groups = groupRemedies(sorted(forecast.status.vms));
  if (groups.length === 0) return NOTHING;
  return html`<section><h2>What would help</h2><ul>${groups.map(
    (group) =>
      html`<li><b>${whom(group)}</b><ul>${group.remedies.map((remedy) => html`<li>${remedy}</li>`)}</ul></li>`,
  )}</ul></section>`;
}

function texts(title: string, lines: readonly string[]): Safe {
  if (lines.length === 0) return NOTHING;
  return html`<section><h2>${title}</h2><ul>${lines.map((line) => html`<li>${line}</li>`)}</ul></section>`;
}

/** What was asked and the settings used, folded away. */
function asked(forecast: Forecast): Safe {
  const { parameters, kubevirtVersion, action } = forecast.spec;
  const pairs = Object.entries({ action, kubevirtVersion, ...parameters });
  return html`<section><details><summary>What was asked, and the settings used</summary><dl class="pairs">${pairs.map(
    ([name, value]) =>
      html`<dt>${name}</dt><dd>${typeof value === 'string' ? value : (JSON.stringify(value) ?? '')}</dd>`,
  )}</dl></details></section>`;
}
