import { describe, expect, it } from 'vitest';
import { type CheckedPod, reportOf } from '../../check/report.ts';
import { PLAIN } from '../options.ts';
import { checkNameView, checkView } from './check.ts';
import { junitView } from './junit.ts';
import { checkMarkdownView } from './markdown.ts';

const SPEC = { kubevirtVersion: '1.9', behavior: 'exact' };
const agrees = (pod: string): CheckedPod => ({
  namespace: 'shop',
  pod,
  vm: pod.replace('launcher-', ''),
  node: 'n1',
  result: 'Agrees',
  reason: 'Agrees',
  message: 'the cluster answers as foretold, and nothing changed',
  expected: { code: 201, message: 'Success', reason: 'NoBudget' },
  answered: { code: 201, message: 'Success' },
  evidence: [],
});
const differs: CheckedPod = {
  namespace: 'shop',
  pod: 'launcher-db',
  vm: 'db',
  node: 'n1',
  result: 'Differs',
  reason: 'AnswerDiffers',
  message: 'the cluster answers otherwise than foretold',
  expected: { code: 429, message: 'no <way> & "how".', reason: 'NotLiveMigratable' },
  answered: { code: 201, message: 'Success' },
  evidence: [
    { object: 'VirtualMachineInstance shop/db', path: 'spec.evictionStrategy', value: 'LiveMigrate' },
    { object: 'VirtualMachineInstance shop/db', path: 'status.nodeName', value: undefined },
  ],
};
const unknown: CheckedPod = {
  namespace: 'bank',
  pod: 'launcher-\u001bx',
  vm: 'x',
  result: 'Unknown',
  reason: 'NoAnswer',
  message: 'no answer came: no answer within 30s',
  answered: { message: 'no answer within 30s' },
  evidence: [],
};
const report = reportOf(SPEC, [unknown, agrees('launcher-a'), differs], ['shop/launcher-old']);

describe('a check on a terminal', () => {
  it('tells the answer, the numbers, then the pods, differences first', () => {
    expect(checkView(report, PLAIN)).toBe(
      [
        'check · KubeVirt 1.9 · one eviction of each launcher pod, as a dry run',
        '✗ The cluster does not do as foretold with 1 of 3 launcher pods. 1 pod could not be judged.',
        '',
        '  Differs  1',
        '  Unknown  1',
        '  Agrees   1',
        '',
        'NAMESPACE/POD          RESULT   REASON         WHY',
        'shop/launcher-db       Differs  AnswerDiffers  the cluster answers otherwise than foretold. Expected',
        '                                               429: no <way> & "how" (NotLiveMigratable). Answered',
        '                                               201: Success.',
        'bank/launcher-\\u{1b}x  Unknown  NoAnswer       no answer came: no answer within 30s.',
        'shop/launcher-a        Agrees   NoBudget       201: Success',
        '',
        'Gone before their turn came',
        '  - shop/launcher-old',
        '',
      ].join('\n'),
    );
  });

  it('leaves out what agrees where the list is long, unless it is wide', () => {
    const many = Array.from({ length: 30 }, (_, i) => agrees(`launcher-${i}`));
    const long = reportOf(SPEC, [...many, differs], []);
    const table = checkView(long, PLAIN);
    expect(table).toContain('… 30 more agree (-o wide lists them all)');
    expect(table).not.toContain('launcher-7');
    expect(checkView(reportOf(SPEC, many, []), PLAIN)).toContain('launcher-7');
    const wide = checkView(long, PLAIN, true);
    expect(wide).toMatch(/^NAMESPACE\/POD +VM +NODE +RESULT +REASON +WHY$/m);
    expect(wide).toMatch(/^shop\/launcher-7 +7 +n1 +Agrees +NoBudget +201: Success$/m);
    expect(wide).toContain(
      'otherwise than foretold. Expected 429: no <way> & "how" (NotLiveMigratable). Answered 201: Success.\n',
    );
  });

  it.each([
    ['✓', [agrees('a')]],
    ['!', [agrees('a'), unknown]],
    ['✗', [differs, unknown]],
  ])('has the mark %s', (mark, pods) => {
    expect(checkView(reportOf(SPEC, pods, []), PLAIN).split('\n')[1]).toMatch(new RegExp(`^${mark} `));
  });

  it('by name: what needs a look', () => {
    expect(checkNameView(report)).toBe('pod/shop/launcher-db\npod/bank/launcher-\\u{1b}x\n');
  });
});

describe('a check as Markdown', () => {
  it('tells what differs, and nothing of it becomes markup', () => {
    expect(checkMarkdownView(report)).toBe(
      [
        '### ❌ The cluster does not do as foretold with 1 of 3 launcher pods. 1 pod could not be judged.',
        '',
        'check · KubeVirt 1.9 · one eviction of each launcher pod, as a dry run',
        '',
        '| Pod | Result | Reason | Why |',
        '| --- | --- | --- | --- |',
        '| `shop/launcher-db` | Differs | `AnswerDiffers` | the cluster answers otherwise than foretold. Expected 429: no &lt;way> &amp; "how" (NotLiveMigratable). Answered 201: Success. |',
        '| `bank/launcher-\\u{1b}x` | Unknown | `NoAnswer` | no answer came: no answer within 30s. |',
        '',
      ].join('\n'),
    );
  });

  it('needs no table where all is well, and counts what is too much', () => {
    expect(checkMarkdownView(reportOf(SPEC, [agrees('a')], []))).toMatch(/^### ✅ [^|]*$/);
    const many = Array.from({ length: 102 }, (_, i) => ({ ...differs, pod: `p${i}` }));
    expect(checkMarkdownView(reportOf(SPEC, many, []))).toContain('… and 2 pods more.');
  });
});

it('a check as JUnit: failures and errors, with both sides and what they rest on', () => {
  expect(junitView(report)).toBe(
    [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<testsuites name="drover check" tests="3" failures="1" errors="1">',
      '  <testsuite name="drover check" tests="3" failures="1" errors="1">',
      '    <properties>',
      '      <property name="kubevirtVersion" value="1.9"/>',
      '      <property name="behavior" value="exact"/>',
      '    </properties>',
      '    <testcase classname="bank" name="launcher-\\u{1b}x">',
      '      <error type="NoAnswer" message="no answer came: no answer within 30s">bank/launcher-\\u{1b}x: no answer came: no answer within 30s.</error>',
      '    </testcase>',
      '    <testcase classname="shop" name="launcher-a"/>',
      '    <testcase classname="shop" name="launcher-db">',
      '      <failure type="AnswerDiffers" message="the cluster answers otherwise than foretold">shop/launcher-db: the cluster answers otherwise than foretold. Expected 429: no &lt;way&gt; &amp; &quot;how&quot; (NotLiveMigratable). Answered 201: Success.',
      'VirtualMachineInstance shop/db spec.evictionStrategy: &quot;LiveMigrate&quot;',
      'VirtualMachineInstance shop/db status.nodeName: (absent)</failure>',
      '    </testcase>',
      '  </testsuite>',
      '</testsuites>',
      '',
    ].join('\n'),
  );
});
