import type { Forecast, Outcome, Stage, VmVerdict } from '../../forecast.ts';
import type { Column } from '../columns.ts';
import { outcomesOf, type SortKey, sorted } from '../order.ts';
import { keyOfVm, whyOf } from '../remedies.ts';
import { isCalm } from '../severity.ts';
import { timeColumns } from '../time-columns.ts';
import { remedyLine } from './advice.ts';
import { html, NOTHING, type Safe } from './escape.ts';
import { evidenceList } from './evidence.ts';

/** A group of calm VMs longer than this starts folded. */
const OPEN_UP_TO = 25;

/** Every VM, in one table for each outcome, worst first. */
export function vmSections(forecast: Forecast, sortBy: SortKey): Safe[] {
  return outcomesOf(forecast).map((outcome) => {
    const vms = forecast.status.vms.filter((vm) => vm.outcome === outcome);
    return group(outcome, sorted(vms, sortBy), timeColumns(forecast.status.vms));
  });
}

function group(outcome: Outcome, vms: readonly VmVerdict[], times: readonly Column<VmVerdict>[]): Safe {
  const title = html`<h3><span class="swatch" style="background:var(--${outcome})"></span> ${outcome} <small>${vms.length}</small></h3>`;
  const table = html`<table class="vms"><thead><tr><th scope="col">VM</th><th scope="col">NODE</th><th scope="col">REASON</th>${times.map(({ header }) => html`<th scope="col">${header}</th>`)}<th scope="col">WHY</th></tr></thead>
<tbody>${vms.map((vm) => row(vm, times))}</tbody></table>`;
  if (!isCalm(outcome) || vms.length <= OPEN_UP_TO) return html`${title}${table}`;
  return html`${title}<details><summary>Show all ${vms.length}</summary>${table}</details>`;
}

function row(vm: VmVerdict, times: readonly Column<VmVerdict>[]): Safe {
  const told = times.map(({ cell }) => html`<td>${cell(vm)}</td>`);
  return html`<tr><td class="name">${keyOfVm(vm)}</td><td>${vm.node ?? '–'}</td><td><code>${vm.reason}</code></td>${told}<td>${whyOf(vm)}${details(vm)}</td></tr>
`;
}

function details(vm: VmVerdict): Safe {
  const parts = [
    ...(vm.remedies.length > 0
      ? [html`<ul>${vm.remedies.map((remedy) => html`<li>${remedyLine(remedy)}</li>`)}</ul>`]
      : []),
    ...(vm.stages.length > 0 ? [html`<ol class="steps">${vm.stages.map(step)}</ol>`] : []),
    ...(vm.answer
      ? [html`<p>An eviction is answered <code>${vm.answer.code}</code> ${vm.answer.message}</p>`]
      : []),
    ...(vm.evidence.length > 0 ? [evidenceList(vm.evidence)] : []),
  ];
  if (parts.length === 0) return NOTHING;
  return html`<details><summary>What decided${vm.remedies.length > 0 ? ', and what would help' : ''}</summary>${parts}</details>`;
}

function step(stage: Stage): Safe {
  return html`<li><b>${stage.decision}</b>: ${stage.says} <code>${stage.reason}</code></li>`;
}
