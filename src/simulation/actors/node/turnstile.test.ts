import { expect, it } from 'vitest';
import { VirtualClock } from '../../virtual-clock.ts';
import { Turnstile } from './turnstile.ts';

it('lets two through at once, the others in their order', async () => {
  const clock = new VirtualClock();
  const turnstile = new Turnstile(2);
  const ended: string[] = [];
  const run = (name: string, seconds: number) =>
    turnstile.run(async () => {
      await new Promise<void>((resolve) => void clock.after(seconds, resolve));
      ended.push(`${name}@${clock.now() / 1000}`);
      return name;
    });
  const all = [run('a', 3), run('b', 1), run('c', 1), run('d', 1)];
  await clock.advance(10);
  expect(ended).toEqual(['b@1', 'c@2', 'a@3', 'd@3']);
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
});

it('goes on after a failure, which is its own caller’s', async () => {
  const turnstile = new Turnstile(1);
  const broken = turnstile.run(() => Promise.reject(new Error('broken')));
  const next = turnstile.run(async () => 'next');
  await expect(broken).rejects.toThrow('broken');
  expect(await next).toBe('next');
});
