import { expect, it } from 'vitest';
import { LabError } from '../../lab/errors.ts';
import { causeIn } from './cause.ts';

const refused = new LabError('LabRefused', 'connect ECONNREFUSED');

it('a lab whose etcd was killed is told as that, not as the call that nobody answered', async () => {
  const broken = new Promise<string>((resolve) => setTimeout(() => resolve('etcd has ended by SIGKILL'), 20));
  expect(await causeIn({ broken }, refused)).toMatchObject({
    code: 'LabBroken',
    message: 'etcd has ended by SIGKILL',
  });
});

it('what else fails in a lab that is whole is told as it is', async () => {
  expect(await causeIn({ broken: new Promise(() => {}) }, refused)).toBe(refused);
});
