/**
 * Refuses a change at once if it is invalid, or too large for every server. A server would refuse it later, when
 * perhaps nobody is at the device any more. Loaded on first use, together with the validators: a recording needs
 * neither this module nor the validators.
 */
import { mutationValuesMax, pushBodyBytesMax } from '../../shared/schema/limits.ts';
import { hasAtMostValues } from '../../shared/protocol/value-count.ts';
import type { MutationName } from '../../shared/schema/mutation.ts';
import * as validators from '../generated/mutation-validators.js';
import { GembaError } from './errors.ts';
import { loadMutationValidators, requireValid } from './validate.ts';

/** The largest size of a mutation's args. The rest of a push body is for the envelope of one mutation. */
const argsBytesMax = pushBodyBytesMax - 1024 * 1024;
/** The most JSON values that a mutation has besides its args. */
const envelopeValuesMax = 20;

/**
 * Validates the args of a mutation. Awaits the import even if the code is loaded: without this turn of the event loop,
 * a push could begin between two changes that the app makes in a row.
 */
export async function validateMutation(name: MutationName, args: unknown): Promise<void> {
  await loadMutationValidators();
  requireValid(validators[name], args, validators.lists[name]);
}

/** Throws `payload_too_large` if no push can carry a mutation with these args. The args must be valid. */
export function requireSendable(args: object): void {
  if (!hasAtMostValues(args, mutationValuesMax - envelopeValuesMax))
    throw tooLargeError(`It has more than ${mutationValuesMax - envelopeValuesMax} values.`);
  const bytes = new TextEncoder().encode(JSON.stringify(args)).length;
  if (bytes > argsBytesMax) throw tooLargeError(`It takes ${textInMiB(bytes)} of at most ${textInMiB(argsBytesMax)}.`);
}

const tooLargeError = (why: string): GembaError =>
  new GembaError({ code: 'payload_too_large', detail: `The change is larger than a server takes. ${why}` });

const textInMiB = (bytes: number): string => `${Math.ceil((bytes / 1024 / 1024) * 10) / 10} MiB`;
