/** Compresses the bodies of requests. body-forms.ts loads it. */

/**
 * A proxy or firewall may answer with one of these statuses if it cannot read a body. The device then sends the body
 * uncompressed.
 */
export const bodyRefusalStatuses = new Set([400, 403, 406, 415]);

interface CompressedBody {
  body?: ArrayBuffer;
  headers?: Record<string, string>;
}

export class BodyCompression {
  #isOn = typeof CompressionStream === 'function';

  /** Calls `request` with the compressed body. If that body is refused, calls `request` without a compressed body. */
  async send(body: string, request: (compressed: CompressedBody) => Promise<Response>): Promise<Response> {
    if (!this.#isOn) return request({});
    const response = await request({ body: await compressText(body, 'gzip'), headers: { 'Content-Encoding': 'gzip' } });
    if (!bodyRefusalStatuses.has(response.status)) return response;
    this.#isOn = false;
    await response.body?.cancel();
    return request({});
  }
}

export function compressText(text: string, format: 'gzip' | 'deflate'): Promise<ArrayBuffer> {
  const compressed = new Blob([text]).stream().pipeThrough(new CompressionStream(format));
  return new Response(compressed).arrayBuffer();
}
