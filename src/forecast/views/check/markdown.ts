import { counted } from '../../../kubevirt/words.ts';
import type { CheckedPod, CheckReport } from '../../check/report.ts';
import { code, ICON, plain } from '../markdown.ts';
import { paragraphs } from '../text.ts';
import { byResult, keyOfPod, markOfCheck, reasonOfCheck, whyOfCheck } from './check.ts';

/** A comment on a pull request holds about 65 000 characters. */
const MOST_PODS = 100;

/**
 * A check as a comment for a pull request: the answer, then what differs or could not be judged.
 *
 * Promise: what comes from the cluster shows as it is and becomes no markup; at most 100 pods are told, the rest is counted.
 */
export function checkMarkdownView({ spec, status }: CheckReport): string {
  const bad = byResult(status.pods).filter(({ result }) => result !== 'Agrees');
  const told = bad.slice(0, MOST_PODS);
  const more = bad.length - told.length;
  return paragraphs([
    [`### ${ICON[markOfCheck(status)]} ${plain(status.summary)}`],
    [`check · KubeVirt ${plain(spec.kubevirtVersion)} · one eviction of each launcher pod, as a dry run`],
    told.length === 0
      ? []
      : ['| Pod | Result | Reason | Why |', '| --- | --- | --- | --- |', ...told.map(row)],
    more > 0 ? [`… and ${counted(more, 'pod')} more.`] : [],
  ]);
}

function row(pod: CheckedPod): string {
  const cells = [code(keyOfPod(pod)), pod.result, code(reasonOfCheck(pod)), plain(whyOfCheck(pod))];
  return `| ${cells.map((cell) => cell.replaceAll('\n', ' ')).join(' | ')} |`;
}
