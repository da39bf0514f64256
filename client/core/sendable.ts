/**
 * Refuses a change at once if it is invalid or too large for any server. The server's refusal might come when the
 * person is gone. Loaded with the validators on first use, since a recording needs neither.
 */
import { mutationValuesMax, pushBodyBytesMax } from '../../shared/schema/limits.ts';
import { hasAtMostValues } from '../../shared/protocol/value-count.ts';
import type { MutationName } from '../../shared/schema/mutation.ts';
import * as validators from '../generated/mutation-validators.js';
import { GembaError } from './errors.ts';
import { loadMutationValidators, requireValid } from './validate.ts';

/** Leaves space for the envelope of a push with one mutation. */
const argsBytesMax = pushBodyBytesMax - 1024 * 1024;
/** The maximum number of JSON values that a mutation has besides its args. */
const envelopeValuesMax = 20;

/** With a turn less, a push can begin between two changes that follow on each other. */
export async function validateMutation(name: MutationName, args: unknown): Promise<void> {
  await loadMutationValidators();
  requireValid(validators[name], args, validators.lists[name]);
}

/** Throws `payload_too_large` if a push cannot carry a mutation with these valid args. */
export function requireSendable(args: object): void {
  if (!hasAtMostValues(args, mutationValuesMax - envelopeValuesMax))
    throw tooLargeError(`It has more than ${mutationValuesMax - envelopeValuesMax} values.`);
  const bytes = new TextEncoder().encode(JSON.stringify(args)).length;
  if (bytes > argsBytesMax) throw tooLargeError(`It takes ${toMiB(bytes)} of at most ${toMiB(argsBytesMax)}.`);
}

const tooLargeError = (why: string): GembaError =>
  new GembaError({ code: 'payload_too_large', detail: `The change is larger than a server takes. ${why}` });

const toMiB = (bytes: number): string => `${Math.ceil((bytes / 1024 / 1024) * 10) / 10} MiB`;
