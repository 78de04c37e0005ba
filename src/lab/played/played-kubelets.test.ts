import { load } from 'js-yaml';
import { expect, it } from 'vitest';
import { refusalOf } from './played-kubelets.ts';

it.each([
  ['/containerLogs/shop/db/compute?tailLines=1', 'pod shop/db', 'it has no logs'],
  ['/exec/shop/db/compute?command=ls', 'pod shop/db', 'no command can be run in it'],
  ['/attach/shop/db/compute', 'pod shop/db', 'there is nothing to attach to'],
  ['/portForward/shop/db', 'pod shop/db', 'no port of it can be forwarded'],
  ['/metrics', 'this node', 'its kubelet answers nothing'],
])('%s is refused in words', (url, what, why) => {
  expect(refusalOf(url)).toBe(`${what} is played by the lab, without containers, so ${why}`);
});

it('kubectl port-forward fails with an empty message where the refusal can be taken for an object', () => {
  expect(typeof load(refusalOf('/portForward/shop/db'))).toBe('string');
});
