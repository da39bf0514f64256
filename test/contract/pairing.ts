/** Devices, codes and keys for the tests of pairing. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { RunningServer } from '../../server/app.ts';
import type { DeviceKind, PairResult, PairingCode } from '../../shared/schema/auth.ts';
import { Api, type Received, type SendHeaders, type Servers } from './fixture.ts';

export async function newCode(api: Api, device_kind?: DeviceKind): Promise<string> {
  const made = await api.post('/api/v1/auth/pairing-code', device_kind === undefined ? undefined : { device_kind });
  expect(made.status).toBe(201);
  return (made.body as PairingCode).code;
}

export interface PairingAttempt {
  code: string;
  id?: string;
  kind?: DeviceKind;
  name?: string;
  /** The account whose unsent work the device holds. */
  accountId?: string;
}

export function pair(server: RunningServer, guess: PairingAttempt, headers: SendHeaders = {}): Promise<Received> {
  const { code, id = randomUUID(), kind = 'wearable', name = 'Watch 7', accountId } = guess;
  const account = accountId === undefined ? {} : { account_id: accountId };
  const body = { code, device_id: id, device_name: name, device_kind: kind, ...account };
  return new Api({ url: server.url, key: 'none', accountId: '' }).post('/api/v1/auth/pair', body, headers);
}

/** Pairs a new device of the account and returns an `Api` with the device's token. */
export async function pairedDevice(
  server: RunningServer,
  api: Api,
  { kind = 'wearable' as DeviceKind, id = randomUUID() as string, name = 'Watch 7' } = {},
): Promise<Api & { id: string }> {
  const paired = await pair(server, { code: await newCode(api.at(server), kind), kind, id, name });
  expect(paired.status).toBe(201);
  const { token } = paired.body as PairResult;
  return Object.assign(new Api({ url: server.url, key: token, accountId: api.accountId }), { id });
}

/** Makes an API key with the token of a phone. */
export async function createKeyOfPhone(server: RunningServer, api: Api): Promise<Api> {
  const phone = await pairedDevice(server, api, { kind: 'phone' });
  const { status, body } = await phone.post('/api/v1/keys');
  expect(status).toBe(201);
  return new Api({ url: server.url, key: body.api_key, accountId: api.accountId });
}

/** Makes a used code, an expired one and one that works. */
export async function createCodesInEachState({ first, advance }: Servers, api: Api) {
  const used = await newCode(api);
  expect((await pair(first, { code: used })).status).toBe(201);
  const expired = await newCode(api);
  advance(601_000);
  return { used, expired, live: await newCode(api) };
}

/** Makes a code that differs from this one in its second half. */
export function codeWithOtherSecondHalf(code: string): string {
  const [half, rest] = code.split('-') as [string, string];
  return `${half}-${rest.startsWith('0') ? '1' : '0'}${rest.slice(1)}`;
}

/** Makes a code whose first half differs from this one's; each `index` up to 31 makes another. */
export function codeWithOtherFirstHalf(code: string, index = 0): string {
  const characters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  const first = characters[(characters.indexOf(code[0]!) + 1 + (index % 31)) % 32];
  return `${first}${code.slice(1)}`;
}

/** The parts of an answer that do not depend on the single request. */
export function comparableParts({ status, headers, body }: Received): object {
  const { request_id: _, ...rest } = body as Record<string, unknown>;
  const names = [...headers.keys()].filter((name) => !/^(x-request-id|date|ratelimit)/.test(name));
  return { status, body: rest, headers: names.map((name) => [name, headers.get(name)]) };
}
