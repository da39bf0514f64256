/**
 * Limits guesses at pairing codes. A guess is counted as a failure for its address and for the first half of its code
 * before the code is looked up, so that parallel guesses cannot exceed the limits. A right guess removes both failures
 * again.
 *
 *   guess ─► count for the address ─► count for the code's first half ─► look up the code ─► remove both failures
 *               │ over 10 a minute       │ over 5: blocked                  │ no such code
 *               ▼                        └─► look up a hash of no code ─────┤
 *              429                                                          ▼
 *                                                                          401
 *
 * All wrong guesses take the same steps, and so the same time: a guess that is blocked looks up an impossible hash.
 */
import {
  pairingCodeLifetimeSecs,
  pairingFailuresPerAddressMax,
  pairingFailuresPerAddressWindowSecs,
  pairingFailuresPerCodeMax,
} from '../../shared/schema/limits.ts';
import type { PairingEvent } from '../store/credentials/credentials.ts';
import type { Store } from '../store/store.ts';
import type { RestReply } from '../core/reply.ts';
import { normalizeTypedCode } from '../../shared/relay/base32.ts';
import { hashPairingCode } from './pairing-code.ts';
import type { World } from '../core/world.ts';

interface PairingGuess {
  /** The text that a person typed. */
  code: string;
  /** The network address of the request. */
  address: string;
}

/**
 * Counts the guess, hashes the code and calls `use` with the hash. `use` returns `invalidCodeRefusal` if no code has
 * the hash.
 */
export async function guessWithinLimits(
  { store, world }: { store: Store; world: World },
  { code, address }: PairingGuess,
  use: (code_hash: string, now: string) => Promise<RestReply>,
): Promise<RestReply> {
  const at = world.now();
  const addressFailure: PairingEvent = {
    counter: `address ${address}`,
    at,
    windowMs: pairingFailuresPerAddressWindowSecs * 1000,
    eventsMax: pairingFailuresPerAddressMax,
  };
  const counted = await store.countPairingEvent(addressFailure);
  if (!counted.ok) return tooManyFailuresRefusal(counted.oldestAt + addressFailure.windowMs - at);

  const hashes = await hashPairingCode(normalizeTypedCode(code), await store.epoch());
  const codeFailure: PairingEvent = {
    counter: `code ${hashes.halfHash}`,
    at,
    windowMs: pairingCodeLifetimeSecs * 1000,
    eventsMax: pairingFailuresPerCodeMax,
  };
  const isAllowed = (await store.countPairingEvent(codeFailure)).ok;
  let isWrong = false;
  try {
    const reply = await use(isAllowed ? hashes.codeHash : 'blocked', new Date(at).toISOString());
    isWrong = !reply.ok && reply.error.code === 'pairing_code_invalid';
    return reply;
  } finally {
    // Only a wrong code stays counted. An outage, which throws an error, tells the guesser nothing about the code.
    if (!isWrong) await Promise.all([addressFailure, codeFailure].map((failure) => store.uncountPairingEvent(failure)));
  }
}

export const invalidCodeRefusal: RestReply = {
  ok: false,
  error: {
    code: 'pairing_code_invalid',
    detail: 'The pairing code is wrong, used or expired. Ask for a new one and type it as it is shown.',
  },
};

function tooManyFailuresRefusal(waitMs: number): RestReply {
  const retry_after_secs = Math.max(1, Math.ceil(waitMs / 1000));
  const detail = `Too many pairing codes from here were wrong; try again in ${retry_after_secs} s.`;
  return { ok: false, error: { code: 'rate_limited', detail, members: { retry_after_secs } } };
}
