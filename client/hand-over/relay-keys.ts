/** The server's keys to which this device seals. It takes them from the server and from sealed answers, never from a carrier. */
import { fromBase64url, toBase64url } from '../../shared/relay/base64url.ts';
import { decodeKeyList, type PublicKey } from '../../shared/relay/key-list.ts';
import { keyListMediaType } from '../../shared/relay/media-types.ts';
import type { Clock } from '../core/clock.ts';
import { isoTime } from '../core/clock.ts';
import type { HandOverBody } from '../storage/rows.ts';
import type { Table } from '../storage/table.ts';

interface RelayKeysOptions {
  table: Table<HandOverBody>;
  url: string;
  fetch: typeof globalThis.fetch;
  clock: Pick<Clock, 'wallMs' | 'schedule'>;
}

const ageMsMax = 24 * 3_600_000;
const requestMsMax = 30_000;
const listBytesMax = 4_096;

export class RelayKeys {
  readonly #options: RelayKeysOptions;

  constructor(options: RelayKeysOptions) {
    this.#options = options;
  }

  /** The keys, newest first; empty if the device never met the server. */
  get known(): PublicKey[] {
    const row = this.#row;
    return (row && decodeKeyList(fromBase64url(row.list) ?? new Uint8Array())) ?? [];
  }

  /** Asks the server once a day. Without a network, the known keys stay. */
  async refresh(): Promise<void> {
    const { url, fetch, clock } = this.#options;
    const askedAt = Date.parse(this.#row?.asked_at ?? '');
    if (clock.wallMs() - askedAt < ageMsMax) return;
    const controller = new AbortController();
    const cancelTimeout = clock.schedule(requestMsMax, () => controller.abort());
    try {
      const address = new URL('api/v1/relay/keys', url.endsWith('/') ? url : `${url}/`);
      const response = await fetch(address, { cache: 'no-store', redirect: 'error', signal: controller.signal });
      const isList = response.ok && response.headers.get('Content-Type') === keyListMediaType;
      if (isList) await this.remember(toBase64url(new Uint8Array(await response.arrayBuffer())));
    } catch {
      // No network.
    } finally {
      cancelTimeout();
    }
  }

  /** Stores a list of keys as base64url, unless it has none that this device can use. */
  async remember(list: string): Promise<void> {
    const bytes = list.length > listBytesMax ? undefined : fromBase64url(list);
    if (!bytes || !decodeKeyList(bytes)?.length) return;
    const { table, clock } = this.#options;
    await table.write([{ id: keysRowId, body: { kind: 'keys', list, asked_at: isoTime(clock.wallMs()) } }]);
  }

  get #row() {
    const body = this.#options.table.get(keysRowId);
    return body?.kind === 'keys' ? body : undefined;
  }
}

const keysRowId = 'keys';
