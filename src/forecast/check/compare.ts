import type { ApiResult } from '../../decide/api-result.ts';
import { EVICTION_WEBHOOK } from '../../decide/eviction/registration.ts';
import type { Rule, Table } from '../../decide/rules.ts';
import type { Pod, Vmi } from '../../kubevirt/objects.ts';
import type { Expectation } from './expected.ts';
import type { CheckResult } from './report.ts';

/** One dry-run eviction: what was expected, what came, and the objects before and after. */
export interface Comparison {
  readonly expected: Expectation;
  readonly answered: ApiResult;
  readonly before: Pair;
  readonly after: Pair;
}

export interface Pair {
  readonly pod: Pod | undefined;
  readonly vmi: Vmi | undefined;
}

export interface ComparisonVerdict {
  readonly result: CheckResult;
  readonly message: string;
}

type ComparisonRule = Rule<Comparison, ComparisonVerdict>;

const SOURCE = 'drover check';

/** What an eviction that only was tried tells. Whether anything changed comes first: that matters whatever was answered. */
export const comparisonTable: Table<Comparison, ComparisonVerdict> = [
  rule(
    'NotAllowedToEvict',
    'you may not evict the pod, so nobody was asked',
    ({ answered }) =>
      codeOf(answered) === 403 && !answered.ok && !answered.message.startsWith('admission webhook'),
    'Unknown',
    ({ answered }) => `you may not evict it: ${messageOf(answered)}`,
  ),
  rule(
    'NoAnswer',
    'no answer came',
    ({ answered }) => codeOf(answered) === undefined,
    'Unknown',
    ({ answered }) => `no answer came: ${messageOf(answered)}`,
  ),
  rule(
    'MarkAppeared',
    'the VMI was marked for evacuation in the meantime, which a dry run must not do',
    ({ before, after }) => markIn(before) === '' && markIn(after) !== '',
    'Differs',
    ({ after }) =>
      `the VMI was marked for evacuation from ${markIn(after)} while a dry run was under way: by it, or by another eviction at the same moment`,
  ),
  rule(
    'PodChanged',
    'the pod was deleted or replaced in the meantime, which a dry run must not do',
    ({ before, after }) => isChanged(before.pod, after.pod),
    'Differs',
    () => 'the pod was deleted while a dry run was under way: by it, or by somebody else at the same moment',
  ),
  rule(
    'InputIncomplete',
    'something lacks to know what to expect',
    ({ expected }) => 'missing' in expected,
    'Unknown',
    ({ expected }) => `cannot be judged: ${'missing' in expected ? expected.missing : ''} is not known`,
  ),
  rule(
    'Agrees',
    'the cluster answers as foretold',
    ({ expected, answered }) =>
      'answer' in expected &&
      expected.answer.code === codeOf(answered) &&
      expected.answer.message === messageOf(answered),
    'Agrees',
    () => 'the cluster answers as foretold, and nothing changed',
  ),
  rule(
    'WebhookAway',
    'a webhook cannot be asked, so no eviction gets through',
    ({ answered }) => codeOf(answered) === 500 && messageOf(answered).includes('failed calling webhook'),
    'Differs',
    () => 'a webhook cannot be called, so every eviction of this kind of pod fails',
  ),
  rule(
    'GuardAway',
    "the guard should refuse, and is not asked: the VM's wish is not kept",
    ({ expected }) => expected.byGuard === true,
    'Differs',
    () => "Drover's guard should refuse the eviction, and does not",
  ),
  rule(
    'OtherWebhook',
    "another webhook than KubeVirt's refuses",
    ({ answered }) => {
      const webhook = webhookIn(messageOf(answered));
      return webhook !== undefined && webhook !== EVICTION_WEBHOOK.launcher;
    },
    'Differs',
    ({ answered }) => `webhook ${webhookIn(messageOf(answered))} refuses the eviction`,
  ),
  rule(
    'AnswerDiffers',
    'the cluster answers otherwise than foretold',
    () => true,
    'Differs',
    () => 'the cluster answers otherwise than foretold',
  ),
];

function rule(
  name: string,
  asks: string,
  when: ComparisonRule['when'],
  result: CheckResult,
  says: (comparison: Comparison) => string,
): ComparisonRule {
  const reads: ComparisonRule['reads'] = ({ expected }) => expected.evidence;
  return {
    name,
    asks,
    source: SOURCE,
    when,
    reads,
    then: (comparison) => ({ result, message: says(comparison) }),
  };
}

/** HTTP code of an answer; undefined where none came. */
export function codeOf(answered: ApiResult): number | undefined {
  return answered.ok ? 201 : answered.code;
}

/** The message of an answer, as a dry run that is let pass says it too. */
export function messageOf(answered: ApiResult): string {
  return answered.ok ? 'Success' : answered.message;
}

function markIn({ vmi }: Pair): string {
  return vmi?.status?.evacuationNodeName ?? '';
}

function isChanged(before: Pod | undefined, after: Pod | undefined): boolean {
  if (before?.metadata.uid !== after?.metadata.uid) return true;
  return before?.metadata.deletionTimestamp === undefined && after?.metadata.deletionTimestamp !== undefined;
}

function webhookIn(message: string): string | undefined {
  return /^admission webhook "([^"]+)" denied the request/.exec(message)?.[1];
}
