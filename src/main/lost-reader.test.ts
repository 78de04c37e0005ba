import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { endWithoutReader } from './lost-reader.ts';

function started(...listeners: readonly (() => void)[]) {
  const [stdout, asked] = [new EventEmitter(), new EventEmitter()];
  const told: string[] = [];
  for (const listener of listeners) asked.once('SIGTERM', listener);
  endWithoutReader([stdout], asked, () => told.push('exit'));
  const fail = (code: string) => stdout.emit('error', Object.assign(new Error(code), { code }));
  return { told, fail };
}

it('ends when a pipe is closed', () => {
  const { told, fail } = started();
  fail('EPIPE');
  expect(told).toEqual(['exit']);
});

it('asks what runs until it is asked, once, when a pipe or a terminal is closed', () => {
  let times = 0;
  const { told, fail } = started(() => {
    times += 1;
  });
  fail('EIO');
  fail('EIO');
  expect([times, told]).toEqual([1, []]);
});

it('does not swallow other errors', () => {
  expect(() => started().fail('ENOSPC')).toThrow('ENOSPC');
});
