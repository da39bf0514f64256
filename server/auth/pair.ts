/**
 * Pairing gives a device a token in exchange for a code. A caller with the scope admin makes the code. If the device
 * names the account that it expects, the server compares this account with the account of the code.
 *
 *   look up the code ───────────────► the code is wrong: 401; there were too many wrong codes: 429
 *     │
 *     ▼
 *   compare the account ────────────► the code is of another account: 403; no device claims the code
 *     │
 *     ▼
 *   claim the code ─────────────────► another device has claimed the code: 401
 *     │
 *     ▼
 *   add the device and its token ─┬─► the maker of the code was revoked: 401
 *                                 └─► the account has no free seat: 403
 */
import type {
  Creator,
  PairResult,
  PairingCode,
  PairingCodeAccount,
  PairingCodeLookup,
  PairRequest,
} from '../../shared/schema/auth.ts';
import { toBase64url } from '../../shared/relay/base64url.ts';
import { pairingCodeLifetimeSecs, pairingCodesPerAccountMax } from '../../shared/schema/limits.ts';
import type { PairingEvent, PairingCodeOrigin } from '../store/credentials/credentials.ts';
import { operatorActor } from '../core/caller.ts';
import type { Store } from '../store/store.ts';
import type { CredentialWorkingSet } from './credential-working-set.ts';
import { runCredentialTransaction } from './credential-transaction.ts';
import { successReply, uncachedHeaders, type RefusedRequest, type RestReply } from '../core/reply.ts';
import { storeNewCode, type NewCodeFields } from './new-pairing-code.ts';
import { invalidCodeRefusal, guessWithinLimits } from './pairing-guess.ts';
import { deviceScopes, haveSameScopes } from './scopes.ts';
import { newToken } from './token.ts';
import { createKeyedMutex } from '../core/keyed-mutex.ts';
import { timeOrderedUuid, type World } from '../core/world.ts';
import type { ServerKeys } from '../relay/server-keys.ts';

interface PairingServices {
  store: Store;
  world: World;
  serverKeys: Pick<ServerKeys, 'publicList'>;
}

interface Pairing {
  /** Makes a code, unless the account has too many unused codes. */
  newCode(fields: NewCodeFields): Promise<NewCodeResult>;
  /** Pairs a device. A wrong code counts as a failed guess from the network address `address`. */
  pair(request: PairRequest, address: string): Promise<RestReply>;
  /** Returns the account of a code without claiming the code. A wrong code counts as a failed guess from `address`. */
  accountOfCode(lookup: PairingCodeLookup, address: string): Promise<RestReply>;
}

type NewCodeResult = { ok: true; code: PairingCode } | RefusedRequest;

const sweepIntervalMs = 60_000;

export function createPairing(services: PairingServices): Pairing {
  const { store, world } = services;
  const runExclusively = createKeyedMutex();
  let sweptAt = 0;

  const sweep = (now: number): void => {
    if (now - sweptAt < sweepIntervalMs) return;
    sweptAt = now;
    // A failed sweep is ignored, since the next sweep deletes the same rows.
    store.sweepPairing(new Date(now).toISOString()).catch(() => {});
  };

  return {
    async newCode(fields) {
      sweep(world.now());
      const madeAt = world.now();
      const unusedCode = unusedCodeEvent(fields.account_id, madeAt);
      const counted = await store.countPairingEvent(unusedCode);
      if (!counted.ok) return tooManyUnusedCodesRefusal(counted.oldestAt + pairingCodeLifetimeSecs * 1000 - madeAt);
      try {
        return { ok: true, code: await storeNewCode(services, fields, madeAt) };
      } catch (error) {
        // No code was handed out. If the store is still away, the event counts until its window ends.
        await store.uncountPairingEvent(unusedCode).catch(() => {});
        throw error;
      }
    },

    // A request counts as a failed guess until its code is found. If an address sends many right codes at once, each
    // request waits for the one before, so that they do not reach the limit of failed guesses.
    pair: (request, address) => runExclusively(address, () => pairDevice(services, request, address)),
    accountOfCode: (lookup, address) => runExclusively(address, () => describeAccount(services, lookup, address)),
  };
}

/**
 * Returns the event that stands for one unused code in the store's counters. The event counts until the code expires or
 * a device uses the code.
 */
function unusedCodeEvent(accountId: string, madeAt: number): PairingEvent {
  const windowMs = pairingCodeLifetimeSecs * 1000;
  return { counter: `unused codes ${accountId}`, at: madeAt, windowMs, eventsMax: pairingCodesPerAccountMax };
}

function pairDevice(services: PairingServices, request: PairRequest, address: string): Promise<RestReply> {
  const { store } = services;
  const { code, device_kind, account_id } = request;
  const device_id = request.device_id.toLowerCase();
  return guessWithinLimits(services, { code, address }, async (code_hash, now) => {
    const claim = { code_hash, device_id, device_kind, now };
    if (account_id !== undefined) {
      const origin = await store.pairingCodeOrigin(claim);
      if (origin && origin.account_id !== account_id.toLowerCase()) return refuseAccountMismatch(services, origin);
    }
    const origin = await store.claimPairingCode(claim);
    if (origin) {
      const madeAt = Date.parse(origin.expires_at) - pairingCodeLifetimeSecs * 1000;
      await store.uncountPairingEvent(unusedCodeEvent(origin.account_id, madeAt));
    }
    return origin ? addDevice(services, origin, { ...request, device_id, code_hash }) : invalidCodeRefusal;
  });
}

function describeAccount(
  services: { store: Store; world: World },
  { code, device_kind, device_id }: PairingCodeLookup,
  address: string,
): Promise<RestReply> {
  const { store } = services;
  return guessWithinLimits(services, { code, address }, async (code_hash, now) => {
    const query = { code_hash, device_id: device_id?.toLowerCase() ?? null, device_kind, now };
    const origin = await store.pairingCodeOrigin(query);
    if (!origin) return invalidCodeRefusal;
    return runUnlessMakerRevoked(services, origin, ({ account: { id, name } }) => {
      const body: PairingCodeAccount = { account: { id, name } };
      return successReply(200, body, uncachedHeaders);
    });
  });
}

function refuseAccountMismatch(
  services: { store: Store; world: World },
  origin: PairingCodeOrigin,
): Promise<RestReply> {
  return runUnlessMakerRevoked(services, origin, () => accountMismatchRefusal);
}

/**
 * Refuses the code like a wrong code if the device or API key that made the code is revoked, or if the token that made
 * the code is revoked. Otherwise runs `decide`.
 */
async function runUnlessMakerRevoked(
  services: { store: Store; world: World },
  { account_id: accountId, created_by: maker }: PairingCodeOrigin,
  decide: (credentials: CredentialWorkingSet, now: string) => RestReply,
  deviceIds: string[] = [],
): Promise<RestReply> {
  const makers = (kind: Creator['kind']) => (maker?.kind === kind ? [maker.id] : []);
  const reply = await runCredentialTransaction(
    services,
    {
      accountId,
      tokenHash: maker?.token_hash ?? null,
      actor: maker ? { kind: maker.kind, id: maker.id } : operatorActor,
    },
    {
      readSet: { deviceIds: [...new Set([...deviceIds, ...makers('device')])], keyIds: makers('key') },
      decide: (credentials, now) =>
        maker && credentials.isRevoked(maker) ? invalidCodeRefusal : decide(credentials, now),
    },
  );
  const isMakerRevoked = !reply.ok && reply.error.code === 'unauthorized';
  return isMakerRevoked ? invalidCodeRefusal : reply;
}

/** Adds the device to the account in one transaction. The device must have claimed the code. */
async function addDevice(
  services: PairingServices,
  origin: PairingCodeOrigin,
  { device_id: id, device_name, device_kind: kind, code_hash }: PairRequest & { code_hash: string },
): Promise<RestReply> {
  const { account_id: accountId } = origin;
  const name = device_name.trim();
  const scopes = deviceScopes[kind];
  const list_id = timeOrderedUuid(services.world);
  const relay_keys = toBase64url(await services.serverKeys.publicList());
  const { token, row } = newToken({ accountId, name, scopes, deviceId: id }, services.world);
  return runUnlessMakerRevoked(
    services,
    origin,
    (credentials, now) => {
      const known = credentials.device(id);
      // A revoked device cannot pair again with the code of its earlier pairing.
      if (known && known.revoked_at !== null && known.code_hash === code_hash) return invalidCodeRefusal;
      // Device ids are not secret. Without this check, a wearable that sends the id of a phone could replace the phone.
      if (known && known.revoked_at === null && !haveSameScopes(known.kind, kind)) return invalidCodeRefusal;
      const { plan, name: accountName } = credentials.account;
      const limit = credentials.exceededPhoneLimit({ id, kind });
      if (limit !== undefined) return noFreeSeatRefusal(limit, plan);
      const device = {
        list_id,
        last_seen_at: null,
        silent_event_at: null,
        ...known,
        id,
        name,
        kind,
        paired_at: now,
        revoked_at: null,
        code_hash,
      };
      credentials.pair(device, row, now);
      const account = { id: accountId, name: accountName, plan };
      const paired: PairResult = { device_id: id, token, scopes, account, relay_keys };
      return successReply(201, paired, uncachedHeaders);
    },
    [id],
  );
}

const accountMismatchRefusal: RestReply = {
  ok: false,
  error: {
    code: 'account_mismatch',
    detail:
      'The pairing code is of another account than the one that the device names. The code was not used: pair the device with a code of its own account.',
  },
};

function tooManyUnusedCodesRefusal(waitMs: number): RefusedRequest {
  const limit = pairingCodesPerAccountMax;
  const retry_after_secs = Math.max(1, Math.ceil(waitMs / 1000));
  const detail = `The account has ${limit} pairing codes that no device used, as many as it may; use one, or wait ${retry_after_secs} s.`;
  return { ok: false, error: { code: 'pairing_code_limit_reached', detail, members: { limit, retry_after_secs } } };
}

function noFreeSeatRefusal(limit: number, plan: string): RestReply {
  const phones = limit === 1 ? 'one phone' : `${limit} phones`;
  const detail = `The account has seats for ${phones} and all are taken. Revoke a phone that is no longer used, or add a seat.`;
  return { ok: false, error: { code: 'seat_limit_reached', detail, members: { limit, plan } } };
}
