import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { steadyClock, wallClock } from './wall-clock.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the clock of the world', () => {
  it.each([0, -5])('calls back at once after %i seconds', async (seconds) => {
    const called = vi.fn();
    wallClock.after(seconds, called);
    expect(called).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(0);
    expect(called).toHaveBeenCalledOnce();
  });

  it('calls back once, also after longer than a timer can wait', async () => {
    const called = vi.fn();
    wallClock.after(40 * 86_400, called);
    await vi.advanceTimersByTimeAsync(40 * 86_400_000 - 1);
    expect(called).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(called).toHaveBeenCalledOnce();
  });

  it('can be called off, also after the first part of a long wait', async () => {
    const called = vi.fn();
    const cancel = wallClock.after(40 * 86_400, called);
    await vi.advanceTimersByTimeAsync(30 * 86_400_000);
    cancel();
    await vi.advanceTimersByTimeAsync(30 * 86_400_000);
    expect(called).not.toHaveBeenCalled();
  });
});

describe('the steady clock', () => {
  it('goes on when the clock of the world is set back', () => {
    const before = steadyClock.now();
    vi.setSystemTime(Date.now() - 3_600_000);
    expect(steadyClock.now()).toBeGreaterThanOrEqual(before);
  });

  it('counts the time that the machine slept', () => {
    const before = steadyClock.now();
    vi.setSystemTime(before + 600_000);
    expect(steadyClock.now() - before).toBeGreaterThanOrEqual(599_000);
  });
});
