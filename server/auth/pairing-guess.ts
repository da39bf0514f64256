/**
 * Limits guesses at pairing codes. Each guess counts as a failure before the code is looked up, so that parallel guesses on
 * many connections and servers cannot exceed the limits. A right guess removes its two failures again.
 *
 *   guess ─► count for the address ─► count for the code's first half ─► look up the code ─► remove both failures
 *               │ over 10 a minute       │ over 5: blocked                  │ no such code
 *               ▼                        └─► look up a hash of no code ─────┤
 *              429                                                          ▼
 *                                                                          401
 *
 * All wrong guesses take the same steps, and so the same time.
 */
import {
  pairingCodeSecsMax,
  pairingFailuresPerAddressMax,
  pairingFailuresPerAddressSecs,
  pairingFailuresPerCodeMax,
} from '../../shared/schema/limits.ts';
import type { LimitedEvent } from '../store/credentials/credentials.ts';
import type { Store } from '../store/store.ts';
import type { RestReply } from '../core/reply.ts';
import { pairingHashes, readPairingCode } from './pairing-code.ts';
import type { World } from '../core/world.ts';

export interface Guess {
  /** The code as a person typed it. */
  code: string;
  /** The address that failures are counted for. */
  address: string;
}

/** Counts the guess and calls `use`, which returns `codeInvalid` for a wrong code. A blocked code has a hash of no code. */
export async function limitGuess(
  { store, world }: { store: Store; world: World },
  { code, address }: Guess,
  use: (code_hash: string, now: string) => Promise<RestReply>,
): Promise<RestReply> {
  const at = world.now();
  const ofAddress: LimitedEvent = {
    counter: `address ${address}`,
    at,
    windowMs: pairingFailuresPerAddressSecs * 1000,
    eventsMax: pairingFailuresPerAddressMax,
  };
  const counted = await store.countEvent(ofAddress);
  if (!counted.ok) return tooManyFailures(counted.oldestAt + ofAddress.windowMs - at);

  const hashes = await pairingHashes(readPairingCode(code), await store.epoch());
  const ofCode: LimitedEvent = {
    counter: `code ${hashes.half}`,
    at,
    windowMs: pairingCodeSecsMax * 1000,
    eventsMax: pairingFailuresPerCodeMax,
  };
  const isAllowed = (await store.countEvent(ofCode)).ok;
  const reply = await use(isAllowed ? hashes.code : 'blocked', new Date(at).toISOString());
  if (reply.ok || reply.error.code !== 'pairing_code_invalid') {
    await Promise.all([ofAddress, ofCode].map((failure) => store.uncountEvent(failure)));
  }
  return reply;
}

export const codeInvalid: RestReply = {
  ok: false,
  error: {
    code: 'pairing_code_invalid',
    detail: 'The pairing code is wrong, used or expired. Ask for a new one and type it as it is shown.',
  },
};

function tooManyFailures(waitMs: number): RestReply {
  const retry_after_secs = Math.max(1, Math.ceil(waitMs / 1000));
  const detail = `Too many pairing codes from here were wrong; try again in ${retry_after_secs} s.`;
  return { ok: false, error: { code: 'rate_limited', detail, members: { retry_after_secs } } };
}
