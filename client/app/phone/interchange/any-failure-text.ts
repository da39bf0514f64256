import { GembaError } from '../../../client.ts';
import { failureText } from '../../pairing/failure-text.ts';
import { texts } from '../../text/texts.ts';

/**
 * Returns the text to show for any error. Reports an error other than a GembaError: a bug, or too little memory for a
 * large file.
 */
export function anyFailureText(error: unknown): string {
  if (error instanceof GembaError) return failureText(error);
  reportError(error);
  return texts.failed.title;
}
