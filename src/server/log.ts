import { type DestinationStream, pino } from 'pino';
import type { Log, LogLevel } from '../controllers/ports.ts';

export interface LogOptions {
  /** Lines below it are left out. */
  readonly level: LogLevel;
  /** Stderr, where none is given. */
  readonly destination?: DestinationStream | undefined;
}

/** Log lines as JSON, one each: `time` (RFC 3339), `level` in words, `msg`, and the fields. */
export function jsonLog({ level, destination = pino.destination(2) }: LogOptions): Log {
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  );
  return {
    write: (at, message, fields) => logger[at](fields ?? {}, message),
  };
}
