/** Makes a pairing code and stores its hash. */
import type { PairingCode } from '../../shared/schema/auth.ts';
import { pairingCodeLifetimeSecs } from '../../shared/schema/limits.ts';
import { formatTypedCode } from '../../shared/relay/base32.ts';
import type { World } from '../core/world.ts';
import type { PairingCodeRow } from '../store/credentials/credentials.ts';
import type { Store } from '../store/store.ts';
import { hashPairingCode, makePairingCode } from './pairing-code.ts';

export type NewCodeFields = Pick<PairingCodeRow, 'account_id' | 'device_kind' | 'created_by'>;

/** The server makes at most this many codes until one is new. Few of the 2^40 codes exist at any time. */
const codeTriesMax = 5;

/** Stores a code that does not exist yet. `madeAt` is in milliseconds since 1970. */
export async function storeNewCode(
  { store, world }: { store: Store; world: World },
  fields: NewCodeFields,
  madeAt: number,
): Promise<PairingCode> {
  const epoch = await store.epoch();
  const expires_at = new Date(madeAt + pairingCodeLifetimeSecs * 1000).toISOString();
  for (let tries = 0; tries < codeTriesMax; tries++) {
    const code = makePairingCode(world);
    const { codeHash: code_hash } = await hashPairingCode(code, epoch);
    const made = await store.createPairingCode({ ...fields, code_hash, expires_at });
    if (made) return { code: formatTypedCode(code), expires_at, expires_in_secs: pairingCodeLifetimeSecs };
  }
  throw new Error('Every new pairing code exists already');
}
