import type { CheckedPod, CheckReport } from '../../check/report.ts';
import { printable } from '../text.ts';
import { keyOfPod, whyOfCheck } from './check.ts';

/**
 * A check as a JUnit report, which every CI shows: a test case for each pod, under its namespace. What differs has failed,
 * what could not be judged is an error.
 */
export function junitView({ spec, status }: CheckReport): string {
  const { counts, pods } = status;
  const attributes = `name="drover check" tests="${pods.length}" failures="${counts.Differs}" errors="${counts.Unknown}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${attributes}>`,
    `  <testsuite ${attributes}>`,
    '    <properties>',
    `      <property name="kubevirtVersion" value="${escaped(spec.kubevirtVersion)}"/>`,
    `      <property name="behavior" value="${escaped(spec.behavior)}"/>`,
    '    </properties>',
    ...pods.flatMap(testCase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function testCase(pod: CheckedPod): string[] {
  const open = `    <testcase classname="${escaped(pod.namespace)}" name="${escaped(pod.pod)}"`;
  if (pod.result === 'Agrees') return [`${open}/>`];
  const element = pod.result === 'Differs' ? 'failure' : 'error';
  const attributes = `type="${escaped(pod.reason)}" message="${escaped(pod.message)}"`;
  const details = [`${keyOfPod(pod)}: ${whyOfCheck(pod)}`, ...pod.evidence.map(evidenceLine)];
  return [
    `${open}>`,
    `      <${element} ${attributes}>${details.map(escaped).join('\n')}</${element}>`,
    '    </testcase>',
  ];
}

function evidenceLine({ object, path, value }: CheckedPod['evidence'][number]): string {
  return `${object} ${path}: ${value === undefined ? '(absent)' : JSON.stringify(value)}`;
}

/** XML has no way to write control characters, so they are written as `\u{…}`. */
function escaped(text: string): string {
  return printable(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
