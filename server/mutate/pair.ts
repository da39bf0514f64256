/**
 * Pairing: a code that somebody with the scope admin asked for becomes a device's token.
 *
 *   guess ─► count against the address ─► count against the code's half ─► claim the code ─► device and token ─► forgive both
 *               │ 10 a minute                │ 5 a code: dead               │ none            │ no seat
 *               ▼                            └─► as if there were none ─────┤                 ▼
 *              429                                                          ▼                403, both forgiven
 *                                                                          401
 *
 * Each guess counts as a failure before it is looked at, so that guesses on many connections and servers cannot run ahead
 * of the count. All that fail take the same way and the same time.
 */
import type { DeviceKind, Paired, PairingCode, PairRequest } from '../../shared/schema/auth.ts';
import {
  pairingCodeSecsMax,
  pairingFailuresPerAddressMax,
  pairingFailuresPerAddressSecs,
  pairingFailuresPerCodeMax,
} from '../../shared/schema/limits.ts';
import type { Failure } from '../store/access.ts';
import type { Store } from '../store/store.ts';
import { accessTransaction } from './access-transaction.ts';
import { answered, secretHeaders, type RestAnswer } from './answer.ts';
import { makePairingCode, pairingHashes, readPairingCode, shownPairingCode } from './pairing-code.ts';
import { scopesOf } from './scopes.ts';
import { newToken } from './token.ts';
import { createTurns } from './turns.ts';
import { timedUuid, type World } from './world.ts';

interface Pairing {
  newCode(accountId: string, kind: DeviceKind): Promise<PairingCode>;
  /** `address` is whom failures count against. */
  pair(request: PairRequest, address: string): Promise<RestAnswer>;
}

const sweepMs = 60_000;
/** Of 2^40 codes only those of the last minutes exist, so that a second try is rare already. */
const codeTriesMax = 5;

export function createPairing({ store, world }: { store: Store; world: World }): Pairing {
  const turns = createTurns();
  let sweptAt = 0;

  const sweep = (now: number): void => {
    if (now - sweptAt < sweepMs) return;
    sweptAt = now;
    // Nobody misses it: what expired is of no use, and the next code sweeps again.
    store.sweepPairing(new Date(now).toISOString()).catch(() => {});
  };

  return {
    async newCode(accountId, device_kind) {
      sweep(world.now());
      const epoch = await store.epoch();
      for (let tries = 0; tries < codeTriesMax; tries++) {
        const code = makePairingCode(world);
        const { code: code_hash } = await pairingHashes(code, epoch);
        const expires_at = new Date(world.now() + pairingCodeSecsMax * 1000).toISOString();
        const made = await store.createPairingCode({ code_hash, account_id: accountId, device_kind, expires_at });
        if (made) return { code: shownPairingCode(code), expires_at, expires_in_secs: pairingCodeSecsMax };
      }
      throw new Error('Every new pairing code exists already');
    },

    // Devices behind one address take turns, or those that pair well at once would be in each other's count.
    pair: (request, address) => turns(address, () => attempt({ store, world }, request, address)),
  };
}

async function attempt(
  services: { store: Store; world: World },
  request: PairRequest,
  address: string,
): Promise<RestAnswer> {
  const { store, world } = services;
  const at = world.now();
  const ofAddress: Failure = {
    subject: `address ${address}`,
    at,
    windowMs: pairingFailuresPerAddressSecs * 1000,
    failuresMax: pairingFailuresPerAddressMax,
  };
  const counted = await store.countFailure(ofAddress);
  if (!counted.ok) return tooManyFailures(counted.oldestAt + ofAddress.windowMs - at);

  const hashes = await pairingHashes(readPairingCode(request.code), await store.epoch());
  const ofCode: Failure = {
    subject: `code ${hashes.half}`,
    at,
    windowMs: pairingCodeSecsMax * 1000,
    failuresMax: pairingFailuresPerCodeMax,
  };
  const alive = (await store.countFailure(ofCode)).ok;
  const device_id = request.device_id.toLowerCase();
  const claim = { device_id, device_kind: request.device_kind, now: new Date(at).toISOString() };
  const accountId = await store.claimPairingCode({ ...claim, code_hash: alive ? hashes.code : 'dead' });
  if (accountId === undefined) return codeInvalid;
  const answer = await admit(services, accountId, { ...request, device_id, code_hash: hashes.code });
  if (answer.ok || answer.error.code !== 'pairing_code_invalid') {
    await Promise.all([ofAddress, ofCode].map((failure) => store.forgiveFailure(failure)));
  }
  return answer;
}

/** The code is this device's from here on; what is left to decide stands in its account. */
function admit(
  services: { store: Store; world: World },
  accountId: string,
  { device_id: id, device_name, device_kind: kind, code_hash }: PairRequest & { code_hash: string },
): Promise<RestAnswer> {
  const name = device_name.trim();
  const scopes = scopesOf[kind];
  const list_id = timedUuid(services.world);
  const { token, row } = newToken({ accountId, name, scopes, deviceId: id }, services.world);
  return accessTransaction(services, accountId, {
    wants: { deviceIds: [id] },
    decide(access, now) {
      const known = access.device(id);
      // Whoever revoked a device within its code's life did not mean it to come back by itself.
      if (known && known.revoked_at !== null && known.code_hash === code_hash) return codeInvalid;
      const { plan, name: accountName } = access.account;
      const limit = access.seatLimit({ id, kind });
      if (limit !== undefined) return noSeat(limit, plan);
      const device = {
        list_id,
        last_seen_at: null,
        ...known,
        id,
        name,
        kind,
        paired_at: now,
        revoked_at: null,
        code_hash,
      };
      access.pair(device, row, now);
      const paired: Paired = { device_id: id, token, scopes, account: { id: accountId, name: accountName, plan } };
      return answered(201, paired, secretHeaders);
    },
  });
}

const codeInvalid: RestAnswer = {
  ok: false,
  error: {
    code: 'pairing_code_invalid',
    detail: 'The pairing code is wrong, used or expired. Ask for a new one and type it as it is shown.',
  },
};

function tooManyFailures(waitMs: number): RestAnswer {
  const retry_after_secs = Math.max(1, Math.ceil(waitMs / 1000));
  const detail = `Too many pairing codes from here were wrong; try again in ${retry_after_secs} s.`;
  return { ok: false, error: { code: 'rate_limited', detail, members: { retry_after_secs } } };
}

function noSeat(limit: number, plan: string): RestAnswer {
  const phones = limit === 1 ? 'one phone' : `${limit} phones`;
  const detail = `The account has seats for ${phones} and all are taken. Revoke a phone that is no longer used, or add a seat.`;
  return { ok: false, error: { code: 'seat_limit_reached', detail, members: { limit, plan } } };
}
