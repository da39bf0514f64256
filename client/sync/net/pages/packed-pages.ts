/** Asks for the pages of a pull in the packed form. Loaded with the first pull. */
import { packedMediaType } from '../../../../shared/packed/column.ts';
import { unpackBody } from '../../../../shared/packed/unpack.ts';
import { RequestError } from '../failure.ts';
import type { Unpack } from '../read-response.ts';

export interface FormatOptions {
  headers?: Record<string, string>;
  unpack?: Unpack;
}

export class PackedPages {
  #isOn = true;

  /** After a page that cannot be unpacked, or a 406 of whatever stands before the server, all pages are JSON. */
  async request<Body>(send: (form: FormatOptions) => Promise<Body>): Promise<Body> {
    if (!this.#isOn) return send({});
    try {
      return await send({ headers, unpack: (body) => this.#unpack(body) });
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

const headers = { Accept: `${packedMediaType}, application/json;q=0.5` };
