/** Seals a request to the first key that this platform supports, and decodes the content of an opened answer. */
import type { Bytes } from '../../shared/relay/byte-reader.ts';
import type { PublicKey } from '../../shared/relay/key-list.ts';
import { sealRequest } from '../../shared/relay/sealing.ts';

/** Seals to the first usable key, since not every platform has X25519. Rejects if none is usable. */
export async function sealToAny(keys: readonly PublicKey[], request: Bytes): ReturnType<typeof sealRequest> {
  let failure: unknown = new Error('The server has named no key');
  for (const key of keys) {
    try {
      return await sealRequest({ key, request });
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

export async function textOf(content: Bytes, fields: Headers): Promise<string> {
  if (fields.get('content-encoding') !== 'gzip') return new TextDecoder().decode(content);
  const inflated = new Blob([content]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(inflated).text();
}
