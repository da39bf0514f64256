/**
 * The verbs that need the network: pairing, and the account's devices and API keys. Each verb rejects with a
 * `GembaError` if the server does not answer or refuses.
 */
import type { Device, DeviceKind, NewApiKey } from '../../shared/schema/auth.ts';
import type { ListedDevice } from '../../shared/schema/fleet.ts';
import { GembaError } from '../core/errors.ts';
import type { IdGenerator } from '../core/ids.ts';
import type { Lifetime } from '../core/lifetime.ts';
import type { Outbox } from '../outbox/outbox.ts';
import { requireSameAccount } from '../outbox/model/sequence/require-account.ts';
import { RequestError } from '../sync/net/failure.ts';
import type { AccountTransport } from '../sync/net/account-requests.ts';
import type { Transport } from '../sync/net/transport.ts';

/** A device of the account. A server of an earlier version sends neither `status` nor `health`. */
export interface PairedDevice extends Device, Partial<Pick<ListedDevice, 'status' | 'health'>> {
  /** True for the device on which the verb was called. */
  is_this: boolean;
}

export interface DeviceVerbsOptions {
  transport: Transport;
  outbox: Outbox;
  lifetime: Lifetime;
  ids: Pick<IdGenerator, 'uuid'>;
  kind: Device['kind'];
  /**
   * Called after this device has stored a new token. `relayKeys` are the keys to which the device seals its hand-overs.
   */
  onPaired(relayKeys: string): Promise<void>;
}

export function deviceVerbs({ transport, outbox, lifetime, ids, kind, onPaired }: DeviceVerbsOptions) {
  const ask = <Answer>(
    question: (requests: AccountTransport, signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> =>
    lifetime.runUnawaited(async (signal) => question(await transport.accountRequests(), signal)).catch(throwGembaError);
  const unansweredKeyRequests = new Map<string, string>();

  return {
    pair: async (code: string, deviceName: string): Promise<void> => {
      const { device_id, account_id } = outbox.device;
      // The request names the device's account. The server then refuses a code of another account, and that code stays
      // valid.
      const own = account_id === undefined ? {} : { account_id };
      const request = { code, device_id, device_name: deviceName, device_kind: kind, ...own };
      const { token, account, relay_keys } = await ask((requests, signal) => requests.pair(request, signal));
      await lifetime.run(() => outbox.identity.rememberPairing({ token, account_id: account.id }));
      await onPaired(relay_keys);
    },
    pairingAccount: async (code: string) => {
      const question = { code, device_kind: kind, device_id: outbox.device.device_id };
      const { account } = await ask((requests, signal) => requests.pairingCodeAccount(question, signal));
      requireSameAccount(outbox.device, account.id);
      return account;
    },
    account: () => ask((requests, signal) => requests.account(signal)),
    devices: async (): Promise<PairedDevice[]> => {
      const devices = await ask((requests, signal) => requests.devices(signal));
      return devices.map((device) => ({ ...device, is_this: device.id === outbox.device.device_id }));
    },
    renameDevice: async (deviceId: string, name: string): Promise<void> => {
      await ask((requests, signal) => requests.renameDevice(deviceId, name, signal));
    },
    revokeDevice: async (deviceId: string): Promise<void> => {
      await ask((requests, signal) => requests.revokeDevice(deviceId, signal));
    },
    keys: () => ask((requests, signal) => requests.keys(signal)),
    createKey: async (fields: NewApiKey = {}) => {
      const keyed = { newIdempotencyKey: () => ids.uuid(), unanswered: unansweredKeyRequests };
      return ask((requests, signal) => requests.createKey(fields, { signal, ...keyed }));
    },
    revokeKey: async (keyId: string): Promise<void> => {
      await ask((requests, signal) => requests.revokeKey(keyId, signal));
    },
    pairingCode: async (deviceKind: DeviceKind) => {
      return ask((requests, signal) => requests.pairingCode(deviceKind, signal));
    },
  };
}

export type DeviceVerbs = ReturnType<typeof deviceVerbs>;

function throwGembaError(error: unknown): never {
  if (!(error instanceof RequestError)) throw error;
  const { failure } = error;
  if (failure.kind === 'unreachable') throw new GembaError({ code: 'unreachable', detail: failure.detail });
  const retryAfterMs = failure.kind === 'busy' ? (failure.retryAfterMs ?? undefined) : undefined;
  throw new GembaError({ ...failure.problem, retryAfterMs });
}
