import { describe, expect, it } from 'vitest';
import { formatInstant, type Instant, parseInstant } from '../../kubevirt/time.ts';
import { readWindows, windowsAt } from './window.ts';

const at = (text: string): Instant => parseInstant(text) ?? Number.NaN;

function stateOf(text: string, now: string): string {
  const reading = readWindows(text);
  if ('error' in reading) return reading.error;
  const state = windowsAt(reading.windows, at(now));
  if (state.open) return `open until ${formatInstant(state.closesAt)}`;
  return state.opensAt === undefined ? 'never opens' : `opens ${formatInstant(state.opensAt)}`;
}

describe('windowsAt', () => {
  // 3 October 2026 is a Saturday; Berlin is two hours ahead of UTC then.
  it.each([
    ['0 2 * * 6 4h', '2026-10-03T01:59:59Z', 'opens 2026-10-03T02:00:00Z'],
    ['0 2 * * 6 4h', '2026-10-03T01:59:59.999Z', 'opens 2026-10-03T02:00:00Z'],
    ['0 2 * * 6 4h', '2026-10-03T02:00:00Z', 'open until 2026-10-03T06:00:00Z'],
    ['0 2 * * 6 4h', '2026-10-03T05:59:59Z', 'open until 2026-10-03T06:00:00Z'],
    ['0 2 * * 6 4h', '2026-10-03T06:00:00Z', 'opens 2026-10-10T02:00:00Z'],
    ['0 2 * * 6 4h Europe/Berlin', '2026-10-03T00:00:00Z', 'open until 2026-10-03T04:00:00Z'],
    ['0 2 * * SAT 4h Europe/Berlin', '2026-10-02T23:59:59Z', 'opens 2026-10-03T00:00:00Z'],
    // Winter time in Berlin.
    ['0 2 * * 6 4h Europe/Berlin', '2026-12-05T01:00:00Z', 'open until 2026-12-05T05:00:00Z'],
    // The hour that Berlin leaves out in spring: half past two is half past three.
    ['30 2 * * 0 1h Europe/Berlin', '2026-03-29T01:00:00Z', 'open until 2026-03-29T02:00:00Z'],
    ['0 22 * * * 9h', '2026-10-03T03:00:00Z', 'open until 2026-10-03T07:00:00Z'],
    ['0 2 * * 6#1 4h', '2026-10-10T03:00:00Z', 'opens 2026-11-07T02:00:00Z'],
    ['0 2 * * 6 4h;0 2 * * 3 4h', '2026-10-03T06:00:00Z', 'opens 2026-10-07T02:00:00Z'],
    [' 0  2 * * 6 4h ; 0 3 * * 6 9h ', '2026-10-03T03:00:00Z', 'open until 2026-10-03T12:00:00Z'],
    ['0 0 31 2 * 1h', '2026-10-03T03:00:00Z', 'never opens'],
    ['0 0 31 2 * 1h; 0 2 * * 6 4h', '2026-10-03T06:00:00Z', 'opens 2026-10-10T02:00:00Z'],
  ])('%s at %s: %s', (text, now, state) => {
    expect(stateOf(text, now)).toBe(state);
  });
});

describe('readWindows tells what is wrong', () => {
  const FORM = 'five fields of cron, a duration, and maybe a time zone';
  it.each([
    ['', `"" is no window: ${FORM}`],
    ['nights', `"nights" is no window: ${FORM}`],
    ['0 2 * * 6', `"0 2 * * 6" is no window: ${FORM}`],
    ['0 2 * * 6 4h UTC please', `"0 2 * * 6 4h UTC please" is no window: ${FORM}`],
    ['0 2 * * 6 4h;', `"" is no window: ${FORM}`],
    ['0 2 * * 6 4', '"4" is no duration, as in 4h or 90m'],
    ['0 2 * * 6 0', '"0" is no duration, as in 4h or 90m'],
    ['0 2 * * 6 -4h', '"-4h" is no duration, as in 4h or 90m'],
    ['0 2 * * 6 4h Mars/Olympus', '"Mars/Olympus" is no time zone, as in Europe/Berlin'],
    ['0 25 * * 6 4h', '"0 25 * * 6" is no schedule of cron'],
    ['0 2 * * 6 4h; 0 2 * * someday 1h', '"0 2 * * someday" is no schedule of cron'],
  ])('%s', (text, error) => {
    expect(readWindows(text)).toEqual({ error });
  });
});
