/**
 * Pairing: a code that somebody with the scope admin asked for becomes a device's token.
 *
 *   guess ─► of the account that the device expects ─► claim the code ─► device and token
 *     │ wrong     │ of another: the code stays             │ none            │ no seat, or the maker is revoked: 401
 *     ▼           ▼                                        ▼                 ▼
 *   401, 429     403                                      401               403
 */
import type {
  Creator,
  Paired,
  PairingCode,
  PairingCodeAccount,
  PairingCodeQuestion,
  PairRequest,
} from '../../shared/schema/auth.ts';
import { pairingCodeSecsMax, pairingCodesPerAccountMax } from '../../shared/schema/limits.ts';
import type { Failure, PairingCodeOrigin, PairingCodeRow } from '../store/credentials/credentials.ts';
import type { Store } from '../store/store.ts';
import type { CredentialSet } from './credential-set.ts';
import { credentialTransaction } from './credential-transaction.ts';
import { answered, secretHeaders, type RefusedRequest, type RestReply } from '../core/reply.ts';
import { makePairingCode, pairingHashes, shownPairingCode } from './pairing-code.ts';
import { codeInvalid, guess } from './pairing-guess.ts';
import { scopesOf } from './scopes.ts';
import { newToken } from './token.ts';
import { createTurns } from '../core/turns.ts';
import { timedUuid, type World } from '../core/world.ts';

interface Pairing {
  /** Refused where the account has as many unused codes as it may. */
  newCode(fields: Pick<PairingCodeRow, 'account_id' | 'device_kind' | 'created_by'>): Promise<NewCode>;
  /** Failures count against `address`. */
  pair(request: PairRequest, address: string): Promise<RestReply>;
  /** Tells whose account a code joins, and leaves the code as it is; failures count as those of pairing do. */
  account(question: PairingCodeQuestion, address: string): Promise<RestReply>;
}

type NewCode = { ok: true; code: PairingCode } | RefusedRequest;

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
    async newCode(fields) {
      sweep(world.now());
      const madeAt = world.now();
      const counted = await store.countFailure(unusedCode(fields.account_id, madeAt));
      if (!counted.ok) return tooManyCodes(counted.oldestAt + pairingCodeSecsMax * 1000 - madeAt);
      const epoch = await store.epoch();
      const expires_at = new Date(madeAt + pairingCodeSecsMax * 1000).toISOString();
      for (let tries = 0; tries < codeTriesMax; tries++) {
        const code = makePairingCode(world);
        const { code: code_hash } = await pairingHashes(code, epoch);
        const made = await store.createPairingCode({ ...fields, code_hash, expires_at });
        if (!made) continue;
        return {
          ok: true,
          code: { code: shownPairingCode(code), expires_at, expires_in_secs: pairingCodeSecsMax },
        };
      }
      throw new Error('Every new pairing code exists already');
    },

    // Devices behind one address take turns, or those that pair well at once would be in each other's count.
    pair: (request, address) => turns(address, () => attempt({ store, world }, request, address)),
    account: (question, address) => turns(address, () => tellAccount({ store, world }, question, address)),
  };
}

/** Unused codes are counted as failures are: within a window, up to a bound, and taken back once a device uses one. */
function unusedCode(accountId: string, madeAt: number): Failure {
  const windowMs = pairingCodeSecsMax * 1000;
  return { subject: `unused codes ${accountId}`, at: madeAt, windowMs, failuresMax: pairingCodesPerAccountMax };
}

function attempt(services: { store: Store; world: World }, request: PairRequest, address: string): Promise<RestReply> {
  const { store } = services;
  const { code, device_kind, account_id } = request;
  const device_id = request.device_id.toLowerCase();
  return guess(services, { code, address }, async (code_hash, now) => {
    const claim = { code_hash, device_id, device_kind, now };
    if (account_id !== undefined) {
      const origin = await store.pairingCodeAccount(claim);
      if (origin && origin.account_id !== account_id.toLowerCase()) return refuseAccount(services, origin);
    }
    const origin = await store.claimPairingCode(claim);
    if (origin) {
      const madeAt = Date.parse(origin.expires_at) - pairingCodeSecsMax * 1000;
      await store.forgiveFailure(unusedCode(origin.account_id, madeAt));
    }
    return origin ? admit(services, origin, { ...request, device_id, code_hash }) : codeInvalid;
  });
}

function tellAccount(
  services: { store: Store; world: World },
  { code, device_kind, device_id }: PairingCodeQuestion,
  address: string,
): Promise<RestReply> {
  const { store } = services;
  return guess(services, { code, address }, async (code_hash, now) => {
    const look = { code_hash, device_id: device_id?.toLowerCase() ?? null, device_kind, now };
    const origin = await store.pairingCodeAccount(look);
    if (!origin) return codeInvalid;
    return withLiveMaker(services, origin, ({ account: { id, name } }) => {
      const told: PairingCodeAccount = { account: { id, name } };
      return answered(200, told, secretHeaders);
    });
  });
}

function refuseAccount(services: { store: Store; world: World }, origin: PairingCodeOrigin): Promise<RestReply> {
  return withLiveMaker(services, origin, () => accountMismatch);
}

/** A code whose maker was revoked is a wrong code, also once the maker is paired again. */
async function withLiveMaker(
  services: { store: Store; world: World },
  { account_id: accountId, created_by: maker }: PairingCodeOrigin,
  decide: (credentials: CredentialSet, now: string) => RestReply,
  deviceIds: string[] = [],
): Promise<RestReply> {
  const makers = (kind: Creator['kind']) => (maker?.kind === kind ? [maker.id] : []);
  const answer = await credentialTransaction(
    services,
    { accountId, tokenHash: maker?.token_hash ?? null },
    {
      readSet: { deviceIds: [...new Set([...deviceIds, ...makers('device')])], keyIds: makers('key') },
      decide: (credentials, now) => (maker && credentials.isRevoked(maker) ? codeInvalid : decide(credentials, now)),
    },
  );
  const isMakerRevoked = !answer.ok && answer.error.code === 'unauthorized';
  return isMakerRevoked ? codeInvalid : answer;
}

/** The code is this device's from here on; what is left to decide stands in its account. */
function admit(
  services: { store: Store; world: World },
  origin: PairingCodeOrigin,
  { device_id: id, device_name, device_kind: kind, code_hash }: PairRequest & { code_hash: string },
): Promise<RestReply> {
  const { account_id: accountId } = origin;
  const name = device_name.trim();
  const scopes = scopesOf[kind];
  const list_id = timedUuid(services.world);
  const { token, row } = newToken({ accountId, name, scopes, deviceId: id }, services.world);
  return withLiveMaker(
    services,
    origin,
    (credentials, now) => {
      const known = credentials.device(id);
      // Whoever revoked a device within its code's life did not mean it to come back by itself.
      if (known && known.revoked_at !== null && known.code_hash === code_hash) return codeInvalid;
      // A code for a wearable must not end a phone's token, nor the other way: run documents tell device ids.
      if (known && known.revoked_at === null && known.kind !== kind) return codeInvalid;
      const { plan, name: accountName } = credentials.account;
      const limit = credentials.seatLimit({ id, kind });
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
      credentials.pair(device, row, now);
      const paired: Paired = { device_id: id, token, scopes, account: { id: accountId, name: accountName, plan } };
      return answered(201, paired, secretHeaders);
    },
    [id],
  );
}

const accountMismatch: RestReply = {
  ok: false,
  error: {
    code: 'account_mismatch',
    detail:
      'The pairing code is of another account than the one that the device names. The code was not used: pair the device with a code of its own account.',
  },
};

function tooManyCodes(waitMs: number): RefusedRequest {
  const limit = pairingCodesPerAccountMax;
  const retry_after_secs = Math.max(1, Math.ceil(waitMs / 1000));
  const detail = `The account has ${limit} pairing codes that no device used, as many as it may; use one, or wait ${retry_after_secs} s.`;
  return { ok: false, error: { code: 'pairing_code_limit_reached', detail, members: { limit, retry_after_secs } } };
}

function noSeat(limit: number, plan: string): RestReply {
  const phones = limit === 1 ? 'one phone' : `${limit} phones`;
  const detail = `The account has seats for ${phones} and all are taken. Revoke a phone that is no longer used, or add a seat.`;
  return { ok: false, error: { code: 'seat_limit_reached', detail, members: { limit, plan } } };
}
