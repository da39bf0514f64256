/**
 * A guess at a pairing code, counted as a failure before the code is looked at, so that guesses on many connections and
 * servers cannot run ahead of the count.
 *
 *   guess ─► count against the address ─► count against the code's half ─► look ─► forgive both
 *               │ 10 a minute                │ 5 a code: dead               │ none
 *               ▼                            └─► as if there were none ─────┤
 *              429                                                          ▼
 *                                                                          401
 *
 * Guesses that fail take the same way and the same time.
 */
import {
  pairingCodeSecsMax,
  pairingFailuresPerAddressMax,
  pairingFailuresPerAddressSecs,
  pairingFailuresPerCodeMax,
} from '../../shared/schema/limits.ts';
import type { Failure } from '../store/credentials/credentials.ts';
import type { Store } from '../store/store.ts';
import type { RestReply } from '../core/reply.ts';
import { pairingHashes, readPairingCode } from './pairing-code.ts';
import type { World } from '../core/world.ts';

export interface Guess {
  /** As a person typed it. */
  code: string;
  /** Failures count against it. */
  address: string;
}

/** `use` answers `codeInvalid` where the code does not fit; a dead code comes to it as a hash that none has. */
export async function guess(
  { store, world }: { store: Store; world: World },
  { code, address }: Guess,
  use: (code_hash: string, now: string) => Promise<RestReply>,
): Promise<RestReply> {
  const at = world.now();
  const ofAddress: Failure = {
    subject: `address ${address}`,
    at,
    windowMs: pairingFailuresPerAddressSecs * 1000,
    failuresMax: pairingFailuresPerAddressMax,
  };
  const counted = await store.countFailure(ofAddress);
  if (!counted.ok) return tooManyFailures(counted.oldestAt + ofAddress.windowMs - at);

  const hashes = await pairingHashes(readPairingCode(code), await store.epoch());
  const ofCode: Failure = {
    subject: `code ${hashes.half}`,
    at,
    windowMs: pairingCodeSecsMax * 1000,
    failuresMax: pairingFailuresPerCodeMax,
  };
  const alive = (await store.countFailure(ofCode)).ok;
  const answer = await use(alive ? hashes.code : 'dead', new Date(at).toISOString());
  if (answer.ok || answer.error.code !== 'pairing_code_invalid') {
    await Promise.all([ofAddress, ofCode].map((failure) => store.forgiveFailure(failure)));
  }
  return answer;
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
