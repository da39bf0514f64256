/** Requests the pages of a pull in the packed form. Loaded with the first pull. */
import { packedMediaType } from '../../../../shared/packed/column.ts';
import { unpackBody } from '../../../../shared/packed/unpack.ts';
import { RequestError } from '../failure.ts';
import type { Unpack } from '../read-response.ts';

/** The options of a request that ask for the packed form; empty for plain JSON. */
export interface FormatOptions {
  headers?: Record<string, string>;
  unpack?: Unpack;
}

export class PackedPages {
  #isOn = true;

  /**
   * Calls `send` with the packed form. If a page cannot be unpacked, or a proxy answers 406, the call rejects, and all
   * later calls ask for plain JSON.
   */
  async request<Body>(send: (form: FormatOptions) => Promise<Body>): Promise<Body> {
    if (!this.#isOn) return send({});
    try {
      return await send({ headers: packedHeaders, unpack: (body) => this.#unpack(body) });
    } catch (error) {
      if (error instanceof RequestError && 'status' in error.failure && error.failure.status === 406)
        this.#isOn = false;
      throw error;
    }
  }

  #unpack(body: Parameters<Unpack>[0]): ReturnType<Unpack> {
    try {
      return unpackBody(body);
    } catch (error) {
      this.#isOn = false;
      throw error;
    }
  }
}

const packedHeaders = { Accept: `${packedMediaType}, application/json;q=0.5` };
