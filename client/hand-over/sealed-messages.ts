/**
 * Stores the sealed requests that this device hands over, until their answers have arrived.
 *
 *   sealed ─ a carrier has its last byte ─► handed over ─ its answer was opened ─► removed
 *     └─ a hand-over with newer content replaces it: the request is removed, the secret for its answer stays
 */
import { bytesInBase64url, fromBase64url, toBase64url } from '../../shared/relay/base64url.ts';
import { concat, type Bytes } from '../../shared/relay/byte-reader.ts';
import type { AeadId } from '../../shared/relay/key-list.ts';
import type { PartFrame } from '../../shared/relay/frames.ts';
import type { AnswerSecret } from '../../shared/relay/sealing.ts';
import { sealedAnswerBytesMax } from '../../shared/relay/media-types.ts';
import type { HandOverBody, Row } from '../storage/rows.ts';
import type { Table } from '../storage/table.ts';

export type SealedMessage = Extract<HandOverBody, { kind: 'message' }>;
type AnswerPart = Extract<HandOverBody, { kind: 'answer_part' }>;
export type SealedPush = Extract<SealedMessage['request'], { kind: 'push' }>;

export interface NewMessage extends Pick<SealedMessage, 'request'> {
  id: string;
  sealed: Bytes;
  answerSecret: AnswerSecret;
  receiptSecret: Bytes;
}

interface NewHandOver extends Pick<
  SealedMessage,
  'fingerprint' | 'sealed_for' | 'epoch' | 'client_id' | 'offered_seq'
> {
  messages: readonly NewMessage[];
}

/** Limits the messages whose secrets are kept for their answers. The oldest messages are dropped first. */
const messagesMax = 64;
/** Limits the stored parts of incomplete answers, as base64url. One answer of the greatest size fits. */
const partCharsMax = 2 * sealedAnswerBytesMax;
const carriersWithPartsMax = 8;
const joinedPartsBytesMax = 16 * 1024;

export class SealedMessages {
  readonly #table: Table<HandOverBody>;

  /** Requires a table whose rows are all in memory. */
  constructor(table: Table<HandOverBody>) {
    this.#table = table;
  }

  get(id: string): SealedMessage | undefined {
    const body = this.#table.get(messageRowId(id));
    return body?.kind === 'message' ? body : undefined;
  }

  /** Lists the unanswered messages, the oldest hand-over first. */
  all(): [id: string, message: SealedMessage][] {
    const messages = [...this.#table.entries()].flatMap(([rowId, body]): [string, SealedMessage][] =>
      body.kind === 'message' ? [[rowId.slice(messagePrefix.length), body]] : [],
    );
    return messages.toSorted(([, a], [, b]) => a.hand_over - b.hand_over || a.place - b.place);
  }

  /** Returns the unanswered messages of the newest hand-over, in order. */
  newest(): [id: string, message: SealedMessage][] {
    return this.all().filter(([, message]) => this.isNewest(message));
  }

  isNewest({ hand_over }: SealedMessage): boolean {
    return hand_over === this.#latest;
  }

  requestOf(id: string): Bytes | undefined {
    const body = this.#table.get(requestRowId(id));
    return body?.kind === 'request' ? fromBase64url(body.bytes) : undefined;
  }

  /** Stores a new hand-over. The messages of earlier hand-overs keep only the secrets that open their answers. */
  async add({ messages, ...common }: NewHandOver): Promise<void> {
    const all = this.all();
    const hand_over = this.#latest + 1;
    const rows = messages.flatMap(
      ({ id, sealed, answerSecret, receiptSecret, request }, place): Row<HandOverBody>[] => [
        {
          id: messageRowId(id),
          body: {
            kind: 'message',
            hand_over,
            place,
            ...common,
            total: sealed.length,
            request,
            aead: answerSecret.aead,
            ephemeral: toBase64url(answerSecret.ephemeral),
            secret: toBase64url(answerSecret.secret),
            receipt_secret: toBase64url(receiptSecret),
          },
        },
        { id: requestRowId(id), body: { kind: 'request', bytes: toBase64url(sealed) } },
      ],
    );
    const tooMany = Math.max(0, all.length + messages.length - messagesMax);
    const dropped = all.slice(0, tooMany).flatMap(([id]) => [messageRowId(id), ...this.#partRowIds(id)]);
    rows.push({ id: latestRowId, body: { kind: 'latest', hand_over } });
    await this.#table.write(rows, [...dropped, ...all.map(([id]) => requestRowId(id))]);
    await this.#table.purge({ rowsMax: 1_000 });
  }

  /** Removes an answered message, and writes the given rows in the same transaction. */
  async settle(id: string, rows: Row<HandOverBody>[] = []): Promise<void> {
    await this.#table.write(rows, [messageRowId(id), requestRowId(id), ...this.#partRowIds(id)]);
    await this.#table.purge({ rowsMax: 1_000 });
  }

  /** Clears the fingerprint of the newest hand-over, so that the device seals the same work again. */
  async discardNewest(): Promise<void> {
    const rows = this.newest().map(([id, body]) => ({ id: messageRowId(id), body: { ...body, fingerprint: '' } }));
    await this.#table.write(rows);
  }

  /** Returns how many bytes of the answer this carrier has given so far. */
  answerBytes(id: string, carrier: string): number {
    return this.#parts(id, carrier).reduce((sum, [, { bytes }]) => sum + bytesInBase64url(bytes), 0);
  }

  /** Stores a part of an answer. Resolves to the whole answer if this part completes it, and otherwise to undefined. */
  async receive({ id, total, offset, bytes }: PartFrame, carrier: string): Promise<Bytes | undefined> {
    if (total > sealedAnswerBytesMax) return undefined;
    const isOfOther = this.#parts(id, carrier).some(([, body]) => body.total !== total);
    if (isOfOther) await this.forgetAnswer(id, carrier);
    const have = this.answerBytes(id, carrier);
    const added = offset <= have ? bytes.slice(have - offset) : new Uint8Array();
    const parts = this.#parts(id, carrier);
    if (have + added.length === total) return concat(...parts.map(([, body]) => bytesOf(body)), added);
    if (added.length === 0) return undefined;
    const [lastId, last] = parts.at(-1) ?? [];
    // Small parts share a row, which keeps the number of rows low.
    const isSmall = last !== undefined && bytesInBase64url(last.bytes) + added.length <= joinedPartsBytesMax;
    const rowId = isSmall && lastId ? lastId : partPrefix(id, carrier) + String(have).padStart(offsetDigits, '0');
    const stored = isSmall ? concat(bytesOf(last), added) : added;
    const dropped = this.#partRowsToDrop(carrier, added.length);
    const isDropped = dropped.some((one) => one.startsWith(partPrefix(id, carrier)));
    const row = { id: rowId, body: { kind: 'answer_part', total, bytes: toBase64url(stored) } } as const;
    await this.#table.write(isDropped ? [] : [row], dropped);
    return undefined;
  }

  /** Removes the parts of an answer that this carrier gave. */
  async forgetAnswer(id: string, carrier: string): Promise<void> {
    await this.#table.write(
      [],
      this.#parts(id, carrier).map(([rowId]) => rowId),
    );
  }

  /**
   * Returns the rows to drop so that incomplete answers fit in their limits. Other carriers lose their parts first, the
   * largest share before smaller ones, and this carrier last. A carrier gives lost parts again.
   */
  #partRowsToDrop(carrier: string, bytes: number): string[] {
    const shares = new Map<string, { chars: number; rowIds: string[] }>();
    for (const [rowId, body] of this.#table.entries()) {
      if (body.kind !== 'answer_part') continue;
      const giver = carrierOf(rowId);
      const share = shares.get(giver) ?? { chars: 0, rowIds: [] };
      shares.set(giver, { chars: share.chars + body.bytes.length, rowIds: [...share.rowIds, rowId] });
    }
    const own = shares.get(carrier);
    const others = [...shares].filter(([giver]) => giver !== carrier).map(([, share]) => share);
    others.sort((a, b) => b.chars - a.chars);
    let left = [...shares.values()].reduce((sum, { chars }) => sum + chars, bytes);
    const dropped: string[] = [];
    while (left > partCharsMax || others.length >= carriersWithPartsMax) {
      const largest = others.shift() ?? own;
      if (!largest) break;
      dropped.push(...largest.rowIds);
      left -= largest.chars;
      if (largest === own) break;
    }
    return dropped;
  }

  get #latest(): number {
    const body = this.#table.get(latestRowId);
    return body?.kind === 'latest' ? body.hand_over : 0;
  }

  #parts(id: string, carrier: string): [rowId: string, body: AnswerPart][] {
    const parts = [...this.#table.entries()].flatMap(([rowId, body]): [string, AnswerPart][] =>
      body.kind === 'answer_part' && rowId.startsWith(partPrefix(id, carrier)) ? [[rowId, body]] : [],
    );
    return parts.toSorted(([a], [b]) => (a < b ? -1 : 1));
  }

  #partRowIds(id: string): string[] {
    return [...this.#table.entries()].flatMap(([rowId]) => (rowId.startsWith(`${answerPrefix}${id}|`) ? [rowId] : []));
  }
}

export function answerSecretOf({ aead, ephemeral, secret }: SealedMessage): AnswerSecret {
  const bytesOf = (text: string) => fromBase64url(text) ?? new Uint8Array();
  return { aead: aead as AeadId, ephemeral: bytesOf(ephemeral), secret: bytesOf(secret) };
}

const bytesOf = ({ bytes }: AnswerPart): Bytes => fromBase64url(bytes) ?? new Uint8Array();

const latestRowId = 'latest';
const messagePrefix = 'message|';
const messageRowId = (id: string): string => messagePrefix + id;
const requestRowId = (id: string): string => `request|${id}`;
const answerPrefix = 'answer|';
const partPrefix = (id: string, carrier: string): string => `${answerPrefix}${id}|${carrier}|`;
const carrierOf = (partRowId: string): string => partRowId.split('|')[2] ?? '';
const offsetDigits = 8;
