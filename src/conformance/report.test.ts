import { expect, it } from 'vitest';
import { reportOf } from './report.ts';

const differing = ['v-1', 'v-2', 'v-3', 'v-4'].map((id) => ({
  id,
  differences: [{ path: 'response.code', real: 429, ours: undefined }],
}));

it('counts each file and shows the first three that differ, in full', () => {
  const { lines, failed } = reportOf('f', [
    { name: 'a.jsonl', agree: 7, differing: [] },
    { name: 'b.jsonl', agree: 0, differing },
  ]);
  expect(failed).toBe(true);
  expect(lines.slice(0, 6)).toEqual([
    'a.jsonl: 7 agree, 0 differ',
    'b.jsonl: 0 agree, 4 differ',
    '  v-1',
    '    response.code',
    '      real: 429',
    '      ours: absent',
  ]);
  expect(lines.filter((line) => line.startsWith('  v-'))).toEqual(['  v-1', '  v-2', '  v-3']);
});

it('names a difference of the whole', () => {
  const whole = [{ id: 'v', differences: [{ path: '', real: 'a decision', ours: 'Error: x\n  at y' }] }];
  expect(reportOf('f', [{ name: 'a', agree: 0, differing: whole }]).lines.slice(2)).toEqual([
    '    (whole)',
    '      real: "a decision"',
    '      ours: Error: x\n  at y',
  ]);
});

it('agreement does not fail, nothing to run does', () => {
  expect(reportOf('f', [{ name: 'a', agree: 1, differing: [] }]).failed).toBe(false);
  expect(reportOf('f', [])).toEqual({ lines: ['f: no files to run'], failed: true });
});
