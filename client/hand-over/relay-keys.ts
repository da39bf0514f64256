/**
 * Keeps the public keys of the server to which this device seals. They come from the server and from sealed answers,
 * never from a carrier.
 */
import { fromBase64url, toBase64url } from '../../shared/relay/base64url.ts';
import { decodeKeyList, type PublicKey } from '../../shared/relay/key-list.ts';
import { keyListMediaType, relayKeysHeader } from '../../shared/relay/media-types.ts';
import type { Clock } from '../core/clock.ts';
import { isoTime } from '../core/clock.ts';
import { apiAddress } from '../core/api-address.ts';
import type { HandOverBody } from '../storage/rows.ts';
import type { Table } from '../storage/table.ts';

type KeysRow = Extract<HandOverBody, { kind: 'keys' }>;

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

  /** The known keys in the server's order of preference; empty if the device never got any. */
  get known(): PublicKey[] {
    const row = this.#row;
    return (row && decodeKeyList(fromBase64url(row.list) ?? new Uint8Array())) ?? [];
  }

  /** Fetches the keys if this device knows none yet. */
  async ensureKnown(): Promise<void> {
    if (this.known.length === 0) await this.refresh();
  }

  /** Fetches the keys, at most once a day. Without a network, the known keys stay. */
  async refresh(): Promise<void> {
    const { url, fetch, clock } = this.#options;
    const ageMs = clock.wallMs() - Date.parse(this.#row?.asked_at ?? '');
    // A negative age means that the device's clock was ahead at the last fetch, so fetch again.
    if (ageMs >= 0 && ageMs < ageMsMax) return;
    const controller = new AbortController();
    const cancelTimeout = clock.schedule(requestMsMax, () => controller.abort());
    try {
      const address = apiAddress(url, 'relay/keys');
      const response = await fetch(address, { cache: 'no-store', redirect: 'error', signal: controller.signal });
      const isList = response.ok && response.headers.get('Content-Type') === keyListMediaType;
      if (!isList) return;
      const list = toBase64url(new Uint8Array(await response.arrayBuffer()));
      // Use this device's clock if the app has another origin than the server: browsers then hide the `Date` header.
      const server_at = timeIn(response.headers) ?? isoTime(clock.wallMs());
      await this.#write({ list, asked_at: isoTime(clock.wallMs()), server_at });
    } catch {
      // Keep the known keys without a network.
    } finally {
      cancelTimeout();
    }
  }

  /**
   * Stores the key list that came with a pairing, as base64url. The list has no server time, so the next `refresh`
   * fetches the keys in any case.
   */
  async remember(list: string): Promise<void> {
    await this.#write({ list, asked_at: '' });
  }

  /**
   * Stores the key list in a sealed answer if it is newer than the known list. A carrier may bring an old answer whose
   * keys were replaced, perhaps because they leaked.
   */
  async rememberAnswered(fields: Headers): Promise<void> {
    const list = fields.get(relayKeysHeader);
    const server_at = timeIn(fields);
    const known = this.#row;
    if (!list || server_at === undefined || !known?.server_at) return;
    if (Date.parse(server_at) <= Date.parse(known.server_at)) return;
    // Keep the time of the last fetch, so that the next fetch does not come later.
    await this.#write({ list, server_at, asked_at: known.asked_at });
  }

  /** Stores a key list if this device can use one of its keys. */
  async #write(row: Omit<KeysRow, 'kind'>): Promise<void> {
    const bytes = row.list.length > listBytesMax ? undefined : fromBase64url(row.list);
    if (!bytes || !decodeKeyList(bytes)?.length) return;
    await this.#options.table.write([{ id: keysRowId, body: { kind: 'keys', ...row } }]);
  }

  get #row(): KeysRow | undefined {
    const body = this.#options.table.get(keysRowId);
    return body?.kind === 'keys' ? body : undefined;
  }
}

const keysRowId = 'keys';

/** Returns the time at which the server made the answer, by the server's clock. */
function timeIn(fields: Headers): string | undefined {
  const date = Date.parse(fields.get('Date') ?? '');
  return Number.isNaN(date) ? undefined : isoTime(date);
}
