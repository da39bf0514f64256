/** Sends the requests for pairing, devices and API keys. Loaded when a person first needs one of them. */
import type { AccountOverview } from '../../../shared/schema/account.ts';
import type {
  ApiKey,
  Device,
  DeviceKind,
  NewApiKey,
  NewApiKeyResult,
  PairResult,
  PairingCode,
  PairingCodeAccount,
  PairingCodeLookup,
  PairRequest,
} from '../../../shared/schema/auth.ts';
import {
  isAccountOverview,
  isDevice,
  isApiKey,
  isNewApiKey,
  pageValidator,
  isPairingReply,
  isPairingCode,
  isPairingCodeAccount,
} from './parse-account-response.ts';
import { requireFields, throwIfInvalid } from '../../core/validate.ts';
import type { JsonObject } from '../../core/json-object.ts';
import { RequestError } from './failure.ts';

export interface AccountTransport {
  pair(request: PairRequest, signal: AbortSignal): Promise<PairResult>;
  pairingCodeAccount(lookup: PairingCodeLookup, signal: AbortSignal): Promise<PairingCodeAccount>;
  pairingCode(device_kind: DeviceKind, signal: AbortSignal): Promise<PairingCode>;
  account(signal: AbortSignal): Promise<AccountOverview>;
  /** Returns all devices that were ever paired with the account, newest first. */
  devices(signal: AbortSignal): Promise<Device[]>;
  renameDevice(id: string, name: string, signal: AbortSignal): Promise<Device>;
  revokeDevice(id: string, signal: AbortSignal): Promise<Device>;
  /** Returns all API keys of the account, newest first, with the revoked ones. */
  keys(signal: AbortSignal): Promise<ApiKey[]>;
  createKey(fields: NewApiKey, options: CreateKeyOptions): Promise<NewApiKeyResult>;
  revokeKey(id: string, signal: AbortSignal): Promise<ApiKey>;
}

interface CreateKeyOptions {
  signal: AbortSignal;
  newIdempotencyKey: () => string;
  /**
   * Maps the fields of an API key to the idempotency key of a request without a reply. The next call with the same
   * fields reuses the idempotency key, so that the server returns the API key that it may have made already.
   */
  unanswered: Map<string, string>;
}

interface JsonRequests {
  requestJson<Body>(
    path: string,
    options: AccountRequestOptions & RequestInit,
    isExpected: (body: JsonObject) => boolean,
  ): Promise<Body>;
  post<Body>(
    path: string,
    body: object,
    options: AccountRequestOptions,
    isExpected: (body: JsonObject) => boolean,
  ): Promise<Body>;
}

interface AccountRequestOptions {
  signal: AbortSignal;
  idempotencyKey?: string;
}

interface ListPage<Row> {
  data: Row[];
  next_cursor: string | null;
}

/** Limits how many pages of a list are read. No account has so many devices or API keys. */
const listPagesMax = 100;

export function accountRequests({ requestJson, post }: JsonRequests): AccountTransport {
  const readList = async <Row>(path: string, isRow: (row: unknown) => boolean, signal: AbortSignal): Promise<Row[]> => {
    const rows: Row[] = [];
    let cursor = '';
    for (let pages = 0; pages < listPagesMax; pages++) {
      const query = `?limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
      const page = await requestJson<ListPage<Row>>(path + query, { signal }, pageValidator(isRow));
      rows.push(...page.data);
      if (page.next_cursor === null) break;
      cursor = page.next_cursor;
    }
    return rows;
  };
  const encoded = encodeURIComponent;

  return {
    pair: async (request, signal) => {
      requireTexts({ code: request.code, deviceName: request.device_name });
      return post('auth/pair', request, { signal }, isPairingReply);
    },
    pairingCodeAccount: async (lookup, signal) => {
      requireTexts({ code: lookup.code });
      return post('auth/pairing-code/account', lookup, { signal }, isPairingCodeAccount);
    },
    pairingCode: async (device_kind, signal) => {
      requireTexts({ kind: device_kind });
      return post('auth/pairing-code', { device_kind }, { signal }, isPairingCode);
    },
    account: (signal) => requestJson('account', { signal }, isAccountOverview),
    devices: (signal) => readList('devices', isDevice, signal),
    renameDevice: async (deviceId, name, signal) => {
      requireTexts({ deviceId, name });
      const patch = { method: 'PATCH', body: JSON.stringify({ name }), signal };
      return requestJson(`devices/${encoded(deviceId)}`, patch, isDevice);
    },
    revokeDevice: async (deviceId, signal) => {
      requireTexts({ deviceId });
      return post(`devices/${encoded(deviceId)}/revoke`, {}, { signal }, isDevice);
    },
    keys: (signal) => readList('keys', isApiKey, signal),
    createKey: async (fields, { signal, newIdempotencyKey, unanswered }) => {
      requireFields(fields, ['name', 'scopes']);
      const { name, scopes } = fields;
      const listed = scopes === undefined || Array.isArray(scopes) ? (scopes ?? []) : [scopes];
      const named = Object.fromEntries(Array.from(listed, (scope, index) => [`scopes/${index}`, scope]));
      requireTexts({ ...(name === undefined ? {} : { name }), ...named });
      const fieldsText = JSON.stringify(fields);
      const idempotencyKey = unanswered.get(fieldsText) ?? newIdempotencyKey();
      unanswered.delete(fieldsText);
      const send = () => post<NewApiKeyResult>('keys', fields, { signal, idempotencyKey }, isNewApiKey);
      try {
        return await send().catch((error: unknown) => {
          if (isReplyLost(error) && !signal.aborted) return send();
          throw error;
        });
      } catch (error) {
        if (mayHaveSucceeded(error)) unanswered.set(fieldsText, idempotencyKey);
        throw error;
      }
    },
    revokeKey: async (keyId, signal) => {
      requireTexts({ keyId });
      return post(`keys/${encoded(keyId)}/revoke`, {}, { signal }, isApiKey);
    },
  };
}

const isReplyLost = (error: unknown): boolean =>
  error instanceof RequestError && error.failure.kind === 'unreachable' && !error.failure.timedOut;

const mayHaveSucceeded = (error: unknown): boolean =>
  error instanceof RequestError && (error.failure.kind === 'unreachable' || error.failure.kind === 'busy');

const loneSurrogate = /[\ud800-\udfff]/u;

/**
 * Throws `validation_failed` for each value that is no text or has a lone surrogate. The server checks everything else.
 */
function requireTexts(texts: Record<string, unknown>): void {
  const isText = (value: unknown) => typeof value === 'string' && !loneSurrogate.test(value);
  const wrong = Object.entries(texts).filter(([, value]) => !isText(value));
  throwIfInvalid(wrong.map(([name]) => ({ path: `/${name}`, message: 'must be a text' })));
}
