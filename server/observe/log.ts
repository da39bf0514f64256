/**
 * Structured logs: one JSON line a request, and the reason of what failed. Lines are built from chosen fields and never from
 * headers, bodies or URLs, so that no token or code can come into them.
 */
import { destination, pino, type DestinationStream, type Logger } from 'pino';

export type Log = Pick<Logger, 'info' | 'warn' | 'error'>;

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** To the standard error, beside what `npm start` tells people on the standard output. */
export function openLog(level: LogLevel, to: DestinationStream = destination({ dest: 2, sync: false })): Log {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, to);
}

export const silentLog: Log = pino({ level: 'silent' });

/** Not the whole error: a database's may quote rows. */
export function failure(error: unknown): { name: string; message: string; stack?: string | undefined } {
  if (!(error instanceof Error)) return { name: 'thrown', message: String(error) };
  const { name, message, stack } = error;
  return { name, message, stack };
}
