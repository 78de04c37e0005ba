import { code, ICON, plain } from '../../forecast/views/markdown.ts';
import { paragraphs } from '../../forecast/views/text.ts';
import type { SimulationReport } from '../report.ts';
import { markOfSimulation, nodesText, outcomesText, worstFirst } from './table.ts';
import { downText, failuresToTell, spreadText, timeText } from './words.ts';

/** A comment on a pull request holds about 65 000 characters. */
const MOST_ROWS = 150;

/** The answer as a comment: names and messages show as they are. */
export function simulationMarkdown(report: SimulationReport): string {
  const { spec, status } = report;
  const { told, more } = failuresToTell(status.failures);
  const counts = Object.entries(status.counts).map(
    ([outcome, spread]) => `| ${outcome} | ${spreadText(spread)} |`,
  );
  return paragraphs([
    [`### ${ICON[markOfSimulation(status)]} ${plain(status.summary)}`],
    [
      plain(
        `${spec.title} · ${spec.runs === 1 ? 'one run' : `${spec.runs} runs`} from seed ${spec.firstSeed}`,
      ),
    ],
    [
      ...told.map(
        ({ expectation, message, runs }) =>
          `- ❌ ${code(`expect.${expectation}`)} ${plain(message)} (${runs} of ${spec.runs} runs)`,
      ),
      ...more.map((line) => `- ${plain(line)}`),
    ],
    counts.length === 0 ? [] : ['| Outcome | VMs |', '| --- | ---: |', ...counts],
    vmRows(report),
  ]);
}

function vmRows({ status: { vms } }: SimulationReport): string[] {
  if (vms.length === 0) return [];
  const rows = worstFirst(vms)
    .slice(0, MOST_ROWS)
    .map((vm) => {
      const times = [vm.startSeconds, vm.endSeconds].map((spread) => spreadText(spread, timeText));
      const cells = [
        code(vm.name),
        outcomesText(vm),
        ...times,
        downText(vm),
        spreadText(vm.moves),
        spreadText(vm.restarts),
        plain(nodesText(vm)),
      ];
      return `| ${cells.join(' | ')} |`;
    });
  const more = vms.length > MOST_ROWS ? ['', `… and ${vms.length - MOST_ROWS} more.`] : [];
  return [
    '| VM | Outcome | Start | End | Down | Moves | Restarts | Nodes |',
    '| --- | --- | --- | --- | --- | ---: | ---: | --- |',
    ...rows,
    ...more,
  ];
}
