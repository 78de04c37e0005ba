import { counted, someOf } from '../../kubevirt/words.ts';
import type { Forecast, Outcome } from '../forecast.ts';
import { remedyLine } from './html/advice.ts';
import { html, NOTHING, type Safe } from './html/escape.ts';
import { pageOf } from './html/page.ts';
import { nodePicture, outcomeBar } from './html/picture.ts';
import { askedSection, textSection } from './html/sections.ts';
import { vmSections } from './html/vms.ts';
import { groupLater } from './later.ts';
import { markOf } from './mark.ts';
import { MEANING } from './meaning.ts';
import type { ViewOptions } from './options.ts';
import { outcomesOf, type SortKey, sorted } from './order.ts';
import { groupRemedies, whom } from './remedies.ts';

/** The page of a forecast. */
export function htmlView(forecast: Forecast, options: Pick<ViewOptions, 'sortBy'>): string {
  const { spec, status } = forecast;
  return pageOf({
    asked: spec.title,
    answer: status.summary,
    mark: markOf(forecast),
    sections: [
      picture(forecast),
      later(forecast),
      help(forecast),
      textSection('Not in the input', status.missing),
      textSection('Warnings', status.warnings),
      textSection('Good to know', status.notes),
      vms(forecast, options.sortBy),
      askedSection(spec),
    ],
  });
}

function vms(forecast: Forecast, sortBy: SortKey): Safe {
  if (forecast.status.vms.length === 0) return NOTHING;
  return html`<section><h2>VMs, one by one</h2>${vmSections(forecast, sortBy)}</section>`;
}

function picture(forecast: Forecast): Safe {
  const { counts, vms } = forecast.status;
  if (vms.length === 0) return NOTHING;
  const present = outcomesOf(forecast);
  return html`<section><h2>${counted(vms.length, 'VM')} <small>by what becomes of them</small></h2>
${outcomeBar(new Map(present.map((outcome) => [outcome, counts[outcome]])), 36, true)}
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
      html`<li><b>${whom(group)}</b><ul>${group.remedies.map((remedy) => html`<li>${remedyLine(remedy)}</li>`)}</ul></li>`,
  )}</ul></section>`;
}
