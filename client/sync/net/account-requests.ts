/** Sends the requests for pairing, devices and API keys. This module is loaded when a person needs it. */
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
  PairingCodeQuestion,
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
import type { JsonObject } from './parse-response.ts';

export interface AccountTransport {
  pair(request: PairRequest, signal: AbortSignal): Promise<PairResult>;
  pairingCodeAccount(question: PairingCodeQuestion, signal: AbortSignal): Promise<PairingCodeAccount>;
  pairingCode(device_kind: DeviceKind, signal: AbortSignal): Promise<PairingCode>;
  account(signal: AbortSignal): Promise<AccountOverview>;
  /** All devices that were ever paired with the account, newest first. */
  devices(signal: AbortSignal): Promise<Device[]>;
  renameDevice(id: string, name: string, signal: AbortSignal): Promise<Device>;
  revokeDevice(id: string, signal: AbortSignal): Promise<Device>;
  /** All API keys of the account, including revoked keys, newest first. */
  keys(signal: AbortSignal): Promise<ApiKey[]>;
  createKey(fields: NewApiKey, signal: AbortSignal): Promise<NewApiKeyResult>;
  revokeKey(id: string, signal: AbortSignal): Promise<ApiKey>;
}

interface JsonRequests {
  requestJson<Body>(
    path: string,
    options: RequestOptions & RequestInit,
    isExpected: (body: JsonObject) => boolean,
  ): Promise<Body>;
  post<Body>(
    path: string,
    body: object,
    options: RequestOptions,
    isExpected: (body: JsonObject) => boolean,
  ): Promise<Body>;
}

interface RequestOptions {
  signal: AbortSignal;
}

interface ListPage<Row> {
  data: Row[];
  next_cursor: string | null;
}

/** Bounds the pages read of one list; no account has so many devices or API keys. */
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
    pair: (request, signal) => post('auth/pair', request, { signal }, isPairingReply),
    pairingCodeAccount: (question, signal) =>
      post('auth/pairing-code/account', question, { signal }, isPairingCodeAccount),
    pairingCode: (device_kind, signal) => post('auth/pairing-code', { device_kind }, { signal }, isPairingCode),
    account: (signal) => requestJson('account', { signal }, isAccountOverview),
    devices: (signal) => readList('devices', isDevice, signal),
    renameDevice: (id, name, signal) =>
      requestJson(`devices/${encoded(id)}`, { method: 'PATCH', body: JSON.stringify({ name }), signal }, isDevice),
    revokeDevice: (id, signal) => post(`devices/${encoded(id)}/revoke`, {}, { signal }, isDevice),
    keys: (signal) => readList('keys', isApiKey, signal),
    createKey: (fields, signal) => post('keys', fields, { signal }, isNewApiKey),
    revokeKey: (id, signal) => post(`keys/${encoded(id)}/revoke`, {}, { signal }, isApiKey),
  };
}
