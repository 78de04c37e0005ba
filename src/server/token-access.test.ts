import { describe, expect, it } from 'vitest';
import type { Answer } from '../kubernetes/answer.ts';
import type { Call } from '../kubernetes/api-client.ts';
import { tokenAccess } from './token-access.ts';

describe('access by token', () => {
  /** An API server that knows two tokens; one of their owners has the right. */
  function anAccess() {
    const world = { asked: [] as Call[], now: 0, away: false };
    const statusOf = ({ path, body }: Call): object => {
      const { spec } = body as { spec: { token?: string; user?: string } };
      if (!path.endsWith('tokenreviews')) return { allowed: spec.user === 'prometheus' };
      const user = { username: spec.token, groups: ['g'] };
      return spec.token === 'thief' ? { authenticated: false } : { authenticated: true, user };
    };
    const call = async (asked: Call): Promise<Answer> => {
      world.asked.push(asked);
      if (world.away) return { ok: false, message: 'away' };
      return { ok: true, object: { status: statusOf(asked) } } as Answer;
    };
    const access = tokenAccess({ call }, () => world.now);
    const ask = (authorization?: string, url = '/metrics') => access({ headers: { authorization }, url });
    return { world, ask };
  }

  it.each([
    [undefined, 401],
    ['Basic abc', 401],
    ['Bearer', 401],
    ['Bearer thief', 401],
    ['Bearer guest', 403],
    ['Bearer prometheus', undefined],
    ['bearer  prometheus', undefined],
  ])('%s: %s', async (authorization, refusal) => {
    expect(await anAccess().ask(authorization)).toBe(refusal);
  });

  it('asks for the right on the very path', async () => {
    const { world, ask } = anAccess();
    await ask('Bearer prometheus', '/debug/heap?x=1');
    expect(world.asked.map(({ body }) => (body as { spec: object }).spec)).toEqual([
      { token: 'prometheus' },
      { user: 'prometheus', groups: ['g'], nonResourceAttributes: { path: '/debug/heap', verb: 'get' } },
    ]);
  });

  it('remembers an answer for a minute, and no longer', async () => {
    const { world, ask } = anAccess();
    await ask('Bearer prometheus');
    await ask('Bearer prometheus');
    expect(world.asked).toHaveLength(2);
    await ask('Bearer prometheus', '/debug/memory');
    expect(world.asked).toHaveLength(4);
    world.now = 59_999;
    world.away = true;
    expect(await ask('Bearer prometheus')).toBeUndefined();
    world.now = 60_000;
    expect(await ask('Bearer prometheus')).toBe(403);
    world.away = false;
    expect(await ask('Bearer prometheus')).toBeUndefined();
  });
});
