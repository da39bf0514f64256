import { GembaError } from '../../client.ts';
import { waitText } from '../text/format.ts';
import { pairTexts } from '../text/pairing.ts';
import { texts } from '../text/texts.ts';

/** Returns the text to show for a failed request of the pairing. Throws an error that is not a `GembaError`. */
export function failureText(error: unknown): string {
  if (!(error instanceof GembaError)) throw error;
  const { code, message, retryAfterMs = 60_000 } = error;
  const { problems } = pairTexts;
  if (code === 'rate_limited') return problems.rate_limited(waitText(Math.ceil(retryAfterMs / 1000)));
  return hasProblemText(code) ? problems[code] : problems.other(texts.errorText({ code, message }));
}

type ProblemWithText = Exclude<keyof typeof pairTexts.problems, 'other' | 'rate_limited'>;

const hasProblemText = (code: string): code is ProblemWithText => code !== 'other' && code in pairTexts.problems;
