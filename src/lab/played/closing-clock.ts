import type { Clock } from '../../controllers/ports.ts';

/** A clock that can be stopped: nobody is called any more then, and nothing of it keeps the process. */
export interface ClosingClock extends Clock {
  close(): void;
}

export function closingClock(clock: Clock): ClosingClock {
  const callOffs = new Set<() => void>();
  let isClosed = false;
  return {
    now: () => clock.now(),
    after(seconds, callback) {
      if (isClosed) return () => {};
      const callOffTimer = clock.after(seconds, () => {
        callOffs.delete(callOff);
        callback();
      });
      const callOff = (): void => {
        callOffs.delete(callOff);
        callOffTimer();
      };
      callOffs.add(callOff);
      return callOff;
    },
    close() {
      isClosed = true;
      for (const callOff of [...callOffs]) callOff();
    },
  };
}
