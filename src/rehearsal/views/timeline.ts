import { html, NOTHING, type Safe } from '../../forecast/views/html/escape.ts';
import { pageOf } from '../../forecast/views/html/page.ts';
import type { SimulationReport } from '../report.ts';
import type { DeedResult } from '../result.ts';
import { ganttOf } from './gantt.ts';
import { queueOf } from './queue.ts';
import { markOfSimulation } from './table.ts';
import { failuresToTell, timeText, whyOf } from './words.ts';

const STYLE = `
main { max-width: 1240px; }
svg { width: 100%; height: auto; }
.tick { stroke: var(--line); } .time { fill: var(--soft); font-size: 9px; text-anchor: middle; }
.vm { fill: var(--ink); font-size: 10px; text-anchor: end; dominant-baseline: central; }
.move { fill: var(--LiveMigrates); background: var(--LiveMigrates); } .failed { fill: var(--NeverCompletes); background: var(--NeverCompletes); }
.outage { fill: var(--Restarts); background: var(--Restarts); } .gone { fill: var(--StaysOff); background: var(--StaysOff); }
.waiting { fill: var(--Deferred); background: var(--Deferred); } .underway { fill: var(--HandedOver); background: var(--HandedOver); }
.hover { fill: transparent; } .hover:hover { fill: var(--line); fill-opacity: .6; } g:hover .vm { font-weight: 600; }
.kinds { grid-template-columns: repeat(auto-fill, minmax(220px, 1fr)); } .kinds li { grid-template-columns: 14px 0 auto; }
.deeds td, .deeds th { text-align: left; padding: 3px 22px 3px 0; vertical-align: top; } .deeds th { font-size: 12px; color: var(--soft); }
`;

/** The course of the first run as a page of its own: what was done, the queue, and every VM over time. */
export function simulationTimeline({ spec, status }: SimulationReport): string {
  const { firstRun } = status;
  return pageOf({
    asked: `${spec.title} · seed ${firstRun.seed}`,
    answer: status.summary,
    mark: markOfSimulation(status),
    style: STYLE,
    sections: [failures(status), deeds(firstRun.deeds), queueOf(firstRun), ganttOf(firstRun)],
  });
}

function failures({ failures: failed }: SimulationReport['status']): Safe {
  if (failed.length === 0) return NOTHING;
  const { told, more } = failuresToTell(failed);
  const lines = told.map(
    ({ expectation, message }) => html`<li><code>expect.${expectation}</code> ${message}</li>`,
  );
  return html`<section><h2>Not as expected</h2><ul>${lines}${more.map((line) => html`<li>${line}</li>`)}</ul></section>`;
}

function deeds(done: readonly DeedResult[]): Safe {
  if (done.length === 0) return NOTHING;
  return html`<section><h2>What was done</h2><table class="deeds"><thead><tr><th scope="col">AT</th><th scope="col">WHAT</th><th scope="col">END</th><th scope="col">WHY</th></tr></thead>
<tbody>${done.map(deedRow)}</tbody></table></section>`;
}

function deedRow(done: DeedResult): Safe {
  const { atSeconds, endSeconds, deed, end } = done;
  const when = endSeconds === undefined ? end : `${end}, ${timeText(endSeconds)}`;
  return html`<tr><td>${timeText(atSeconds)}</td><td>${deed}</td><td>${when}</td><td>${whyOf(done) ?? ''}</td></tr>
`;
}
