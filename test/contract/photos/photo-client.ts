/** A client that declares photos and uploads them by hand. */
import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { samplePixels } from '../../photo-samples.ts';
import type { Api, Received, SendHeaders } from '../fixture.ts';

export const photoIdOf = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

export const declarationOf = (bytes: Uint8Array, fields: object = {}): object => ({
  id: photoIdOf(bytes),
  bytes: bytes.length,
  content_type: 'image/jpeg',
  ...samplePixels,
  ...fields,
});

export const declare = (api: Api, bytes: Uint8Array, fields: object = {}): Promise<Received> =>
  api.post('/api/v1/photos', declarationOf(bytes, fields));

export const tus = { 'Tus-Resumable': '1.0.0' };
export const uploadPath = (photo: Uint8Array | string): string =>
  `/api/v1/photos/${typeof photo === 'string' ? photo : photoIdOf(photo)}/upload`;
export const photoPath = (photo: Uint8Array): string => `/api/v1/photos/${photoIdOf(photo)}`;

/** Appends `raw` at `offset` to the upload of `photo`. */
export function append(
  api: Api,
  photo: Uint8Array | string,
  { offset, raw, headers = {} }: { offset: number; raw: Uint8Array; headers?: SendHeaders },
): Promise<Received> {
  const type = { 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': String(offset) };
  return api.send('PATCH', uploadPath(photo), { raw, headers: { ...tus, ...type, ...headers } });
}

export async function offsetOf(api: Api, photo: Uint8Array): Promise<number> {
  const { status, headers } = await api.send('HEAD', uploadPath(photo), { headers: tus });
  expect(status).toBe(200);
  return Number(headers.get('Upload-Offset'));
}

/** Declares a photo and uploads it, in pieces of at most 1 MiB. */
export async function store(api: Api, photo: Uint8Array, fields: object = {}): Promise<void> {
  expect((await declare(api, photo, fields)).status).toBe(201);
  const pieceBytes = 1024 * 1024;
  for (let offset = 0; offset < photo.length; offset += pieceBytes) {
    const { status } = await append(api, photo, { offset, raw: photo.subarray(offset, offset + pieceBytes) });
    expect(status).toBe(204);
  }
}

/** Sends a request without reading its body as JSON. */
export async function download(
  api: Api,
  path: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: SendHeaders } = {},
): Promise<{ status: number; headers: Headers; bytes: Buffer }> {
  const response = await fetch(api.url + path, {
    method,
    headers: { Authorization: `Bearer ${api.key}`, ...headers },
  });
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

/** Compares large buffers, for which `toEqual` takes seconds. */
export function expectSameBytes(given: Uint8Array, expected: Uint8Array): void {
  expect({ length: given.length, isSame: Buffer.compare(given, expected) === 0 }).toEqual({
    length: expected.length,
    isSame: true,
  });
}
