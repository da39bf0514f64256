/**
 * Structured logs: one JSON line for each request and each failure. A line never has headers, bodies or URLs, since
 * these may contain a token or a pairing code.
 */
import { pino, type DestinationStream, type Logger } from 'pino';

export type Log = Pick<Logger, 'info' | 'warn' | 'error'>;

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

export function openLog(level: LogLevel, to: DestinationStream): Log {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, to);
}

/** On a terminal, a line for each request would scroll away the API key and QR code that the start prints. */
export const defaultLogLevel = (isTerminal: boolean): LogLevel => (isTerminal ? 'warn' : 'info');

export const silentLog: Log = pino({ level: 'silent' });

/** Picks the fields of an error that are safe to log. Other fields of a database error may quote rows. */
export function errorFields(error: unknown): { name: string; message: string; stack?: string | undefined } {
  if (!(error instanceof Error)) return { name: 'thrown', message: String(error) };
  const { name, message, stack } = error;
  return { name, message, stack };
}
