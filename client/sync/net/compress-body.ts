/** Compresses the bodies of pushes. Loaded with the first large one. */

/** Whatever stands before the server may refuse a body that it cannot read. The same body is then sent uncompressed. */
export const refusalStatuses = new Set([400, 403, 406, 415]);

interface CompressedBody {
  body?: ArrayBuffer;
  headers?: Record<string, string>;
}

export class BodyCompression {
  #isOn = typeof CompressionStream === 'function';

  /** Sends the request with a compressed body. `request` is called again if the compressed body is refused. */
  async send(body: string, request: (compressed: CompressedBody) => Promise<Response>): Promise<Response> {
    if (!this.#isOn) return request({});
    const response = await request({ body: await compressText(body, 'gzip'), headers: { 'Content-Encoding': 'gzip' } });
    if (!refusalStatuses.has(response.status)) return response;
    this.#isOn = false;
    await response.body?.cancel();
    return request({});
  }
}

export function compressText(text: string, format: 'gzip' | 'deflate'): Promise<ArrayBuffer> {
  const compressed = new Blob([text]).stream().pipeThrough(new CompressionStream(format));
  return new Response(compressed).arrayBuffer();
}
