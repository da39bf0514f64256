/**
 * Pairing: a code that somebody with the scope admin asked for becomes a device's token.
 *
 *   guess ─► of the account that the device expects ─► claim the code ─► device and token
 *     │ wrong     │ of another: the code stays             │ none            │ no seat
 *     ▼           ▼                                        ▼                 ▼
 *   401, 429     403                                      401               403
 */
import type {
  DeviceKind,
  Paired,
  PairingCode,
  PairingCodeAccount,
  PairingCodeQuestion,
  PairRequest,
} from '../../shared/schema/auth.ts';
import { pairingCodeSecsMax } from '../../shared/schema/limits.ts';
import type { Store } from '../store/store.ts';
import { accessTransaction } from './access-transaction.ts';
import { answered, secretHeaders, type RestAnswer } from './answer.ts';
import { makePairingCode, pairingHashes, shownPairingCode } from './pairing-code.ts';
import { codeInvalid, guess } from './pairing-guess.ts';
import { scopesOf } from './scopes.ts';
import { newToken } from './token.ts';
import { createTurns } from './turns.ts';
import { timedUuid, type World } from './world.ts';

interface Pairing {
  newCode(accountId: string, kind: DeviceKind): Promise<PairingCode>;
  /** Failures count against `address`. */
  pair(request: PairRequest, address: string): Promise<RestAnswer>;
  /** Tells whose account a code joins, and leaves the code as it is; failures count as those of pairing do. */
  account(question: PairingCodeQuestion, address: string): Promise<RestAnswer>;
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
    account: (question, address) => turns(address, () => tellAccount({ store, world }, question, address)),
  };
}

function attempt(services: { store: Store; world: World }, request: PairRequest, address: string): Promise<RestAnswer> {
  const { store } = services;
  const { code, device_kind, account_id } = request;
  const device_id = request.device_id.toLowerCase();
  return guess(services, { code, address }, async (code_hash, now) => {
    const claim = { code_hash, device_id, device_kind, now };
    if (account_id !== undefined) {
      const owner = await store.pairingCodeAccount(claim);
      if (owner !== undefined && owner !== account_id.toLowerCase()) return accountMismatch;
    }
    const accountId = await store.claimPairingCode(claim);
    return accountId === undefined ? codeInvalid : admit(services, accountId, { ...request, device_id, code_hash });
  });
}

function tellAccount(
  services: { store: Store; world: World },
  { code, device_kind, device_id }: PairingCodeQuestion,
  address: string,
): Promise<RestAnswer> {
  const { store } = services;
  return guess(services, { code, address }, async (code_hash, now) => {
    const look = { code_hash, device_id: device_id?.toLowerCase() ?? null, device_kind, now };
    const accountId = await store.pairingCodeAccount(look);
    const account = accountId === undefined ? undefined : await store.account(accountId);
    if (!account) return codeInvalid;
    const told: PairingCodeAccount = { account: { id: account.id, name: account.name } };
    return answered(200, told, secretHeaders);
  });
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
  return accessTransaction(
    services,
    { accountId, tokenHash: null },
    {
      wants: { deviceIds: [id] },
      decide(access, now) {
        const known = access.device(id);
        // Whoever revoked a device within its code's life did not mean it to come back by itself.
        if (known && known.revoked_at !== null && known.code_hash === code_hash) return codeInvalid;
        // A code for a wearable must not end a phone's token, nor the other way: run documents tell device ids.
        if (known && known.revoked_at === null && known.kind !== kind) return codeInvalid;
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
    },
  );
}

const accountMismatch: RestAnswer = {
  ok: false,
  error: {
    code: 'account_mismatch',
    detail:
      'The pairing code is of another account than the one that the device names. The code was not used: pair the device with a code of its own account.',
  },
};

function noSeat(limit: number, plan: string): RestAnswer {
  const phones = limit === 1 ? 'one phone' : `${limit} phones`;
  const detail = `The account has seats for ${phones} and all are taken. Revoke a phone that is no longer used, or add a seat.`;
  return { ok: false, error: { code: 'seat_limit_reached', detail, members: { limit, plan } } };
}
