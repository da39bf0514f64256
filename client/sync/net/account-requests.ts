/** The requests for an account's credentials: pairing, devices and API keys. */
import type {
  ApiKey,
  Device,
  DeviceKind,
  NewApiKey,
  NewApiKeyResult,
  Paired,
  PairingCode,
  PairingCodeAccount,
  PairingCodeQuestion,
  PairRequest,
} from '../../../shared/schema/auth.ts';
import {
  isDevice,
  isKey,
  isNewKey,
  isPageOf,
  isPaired,
  isPairingCode,
  isPairingCodeAccount,
  type Fields,
} from './parse-response.ts';

export interface AccessTransport {
  pair(request: PairRequest, signal: AbortSignal): Promise<Paired>;
  pairingCodeAccount(question: PairingCodeQuestion, signal: AbortSignal): Promise<PairingCodeAccount>;
  pairingCode(device_kind: DeviceKind, signal: AbortSignal): Promise<PairingCode>;
  /** All devices that were ever paired with the account, newest first. */
  devices(signal: AbortSignal): Promise<Device[]>;
  renameDevice(id: string, name: string, signal: AbortSignal): Promise<Device>;
  revokeDevice(id: string, signal: AbortSignal): Promise<Device>;
  /** All API keys of the account, including revoked keys, newest first. */
  keys(signal: AbortSignal): Promise<ApiKey[]>;
  createKey(fields: NewApiKey, signal: AbortSignal): Promise<NewApiKeyResult>;
  revokeKey(id: string, signal: AbortSignal): Promise<ApiKey>;
}

interface Exchanges {
  /** Returns the body of a success that `isAnswer` recognizes as Gemba's. */
  json<Body>(path: string, exchange: Exchange & RequestInit, isAnswer: (body: Fields) => boolean): Promise<Body>;
  post<Body>(path: string, body: object, exchange: Exchange, isAnswer: (body: Fields) => boolean): Promise<Body>;
}

interface Exchange {
  signal: AbortSignal;
}

interface Page<Row> {
  data: Row[];
  next_cursor: string | null;
}

/** The most pages that a list is read for; no account has more devices or API keys. */
const pagesMax = 100;

export function credentialCalls({ json, post }: Exchanges): AccessTransport {
  const all = async <Row>(path: string, isRow: (row: unknown) => boolean, signal: AbortSignal): Promise<Row[]> => {
    const rows: Row[] = [];
    let cursor = '';
    for (let pages = 0; pages < pagesMax; pages++) {
      const query = `?limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
      const page = await json<Page<Row>>(path + query, { signal }, isPageOf(isRow));
      rows.push(...page.data);
      if (page.next_cursor === null) break;
      cursor = page.next_cursor;
    }
    return rows;
  };
  const idIn = encodeURIComponent;

  return {
    pair: (request, signal) => post('auth/pair', request, { signal }, isPaired),
    pairingCodeAccount: (question, signal) =>
      post('auth/pairing-code/account', question, { signal }, isPairingCodeAccount),
    pairingCode: (device_kind, signal) => post('auth/pairing-code', { device_kind }, { signal }, isPairingCode),
    devices: (signal) => all('devices', isDevice, signal),
    renameDevice: (id, name, signal) =>
      json(`devices/${idIn(id)}`, { method: 'PATCH', body: JSON.stringify({ name }), signal }, isDevice),
    revokeDevice: (id, signal) => post(`devices/${idIn(id)}/revoke`, {}, { signal }, isDevice),
    keys: (signal) => all('keys', isKey, signal),
    createKey: (fields, signal) => post('keys', fields, { signal }, isNewKey),
    revokeKey: (id, signal) => post(`keys/${idIn(id)}/revoke`, {}, { signal }, isKey),
  };
}
