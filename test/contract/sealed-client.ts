/** Seals requests as a device does that has no network, delivers them as a carrier does, and opens the answers. */
import { expect } from 'vitest';
import { decodeResponse, encodeRequest, type BinaryResponse } from '../../shared/relay/binary-http.ts';
import type { Bytes } from '../../shared/relay/byte-reader.ts';
import { decodeKeyList, type KemName, type PublicKey } from '../../shared/relay/key-list.ts';
import { sealedAnswerMediaType, sealedRequestMediaType } from '../../shared/relay/media-types.ts';
import { openAnswer, sealRequest, type AnswerSecret } from '../../shared/relay/sealing.ts';
import type { Api, Received, SendHeaders } from './fixture.ts';

export interface InnerSend {
  method?: string;
  path?: string;
  token?: string;
  body?: unknown;
  /** The content as it stands, instead of `body`. */
  content?: Bytes;
  headers?: SendHeaders;
}

export interface SealedSend {
  sealed: Bytes;
  answerSecret: AnswerSecret;
  receiptSecret: Bytes;
}

export async function relayKeys(url: string): Promise<PublicKey[]> {
  const response = await fetch(`${url}/api/v1/relay/keys`);
  const keys = decodeKeyList(new Uint8Array(await response.arrayBuffer()));
  expect(keys).toHaveLength(2);
  return keys ?? [];
}

export async function sealTo(
  keys: readonly PublicKey[],
  inner: InnerSend,
  kem: KemName = 'x25519',
): Promise<SealedSend> {
  const { method = 'POST', path = '/api/v1/sync/push', token, body, headers = {} } = inner;
  const key = keys.find((one) => one.kem === kem);
  expect(key).toBeDefined();
  const content = inner.content ?? new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body));
  const all = {
    'gemba-protocol': '1',
    ...(content.length > 0 ? { 'content-type': 'application/json' } : {}),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...headers,
  };
  const request = encodeRequest({ method, scheme: 'https', authority: '', path, fields: Object.entries(all), content });
  return sealRequest({ key: key!, request });
}

export function deliver(carrier: Api, sealed: Bytes, headers: SendHeaders = {}): Promise<Response> {
  return fetch(`${carrier.url}/api/v1/relay`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${carrier.key}`, 'Content-Type': sealedRequestMediaType, ...headers },
    body: sealed,
  });
}

export type InnerAnswer = Omit<Received, 'text'>;

/** Expects a sealed answer and opens it. */
export async function openSealed(response: Response, { answerSecret }: SealedSend): Promise<BinaryResponse> {
  expect({ status: response.status, type: response.headers.get('Content-Type') }).toEqual({
    status: 200,
    type: sealedAnswerMediaType,
  });
  const opened = await openAnswer(answerSecret, new Uint8Array(await response.arrayBuffer()));
  const decoded = opened && decodeResponse(opened);
  expect(decoded).toBeDefined();
  return decoded!;
}

export async function openInner(response: Response, sent: SealedSend): Promise<InnerAnswer> {
  const { status, fields, content } = await openSealed(response, sent);
  const text = new TextDecoder().decode(content);
  return { status, headers: new Headers(fields.map(([name, value]) => [name, value])), body: text && JSON.parse(text) };
}

/** Seals, delivers and opens. */
export async function carry(carrier: Api, inner: InnerSend, kem?: KemName): Promise<InnerAnswer> {
  const sent = await sealTo(await relayKeys(carrier.url), inner, kem);
  return openInner(await deliver(carrier, sent.sealed), sent);
}
