import { isatty } from 'node:tty';
import { afterEach, expect, it, vi } from 'vitest';
import { untilAsked } from './until-asked.ts';

vi.mock('node:tty', () => ({ isatty: vi.fn() }));
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
const before = new Map(SIGNALS.map((name) => [name, process.listeners(name)]));

afterEach(() => {
  for (const name of SIGNALS)
    for (const listener of process.listeners(name))
      if (!before.get(name)?.includes(listener)) process.removeListener(name, listener);
});

it('ends in order when the terminal is closed, wherever the output goes', async () => {
  vi.mocked(isatty).mockImplementation((descriptor) => descriptor === 0);
  const asked = untilAsked();
  process.emit('SIGHUP');
  await asked.promise;
  expect(asked.signal.aborted).toBe(true);
});

it('outlives a terminal that it does not run in, as nohup wants it', () => {
  vi.mocked(isatty).mockReturnValue(false);
  const listening = process.listenerCount('SIGHUP');
  untilAsked();
  expect(process.listenerCount('SIGHUP')).toBe(listening);
});
