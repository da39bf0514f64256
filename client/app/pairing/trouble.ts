import { GembaError } from '../../client.ts';
import { duration } from '../text/format.ts';
import { texts } from '../text/texts.ts';

const { problems } = texts.pair;

/** Why the server did not do what it was asked to at once, in plain words. */
export function troubleOf(error: unknown): string {
  if (!(error instanceof GembaError)) throw error;
  const { code, message, retryAfterMs = 60_000 } = error;
  if (code === 'rate_limited') return problems.rate_limited(duration(Math.ceil(retryAfterMs / 1000)));
  return known(code) ? problems[code] : problems.other(message);
}

type Plain = Exclude<keyof typeof problems, 'other' | 'rate_limited'>;

const known = (code: string): code is Plain => code !== 'other' && code in problems;
