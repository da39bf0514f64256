/**
 * Reads the stored rows of the messages that this device carries. A message has one row of its own, rows for the parts
 * of its request, and one row for its answer. The rows of an incomplete message have a key that adds a number to the
 * message's id, since several devices may send different bytes under one id.
 */
import { bytesInBase64url, fromBase64url, toBase64url } from '../../shared/relay/base64url.ts';
import { concat, type Bytes } from '../../shared/relay/byte-reader.ts';
import { codeName } from '../../shared/relay/code-frames.ts';
import type { CarriedBody, Row } from '../storage/rows.ts';
import type { Table } from '../storage/table.ts';
import type { ReadCode } from './carrier-verbs.ts';

export type Message = Extract<CarriedBody, { kind: 'message' }>;
export type MessageEntries = readonly (readonly [id: string, message: Message])[];

/** The methods of the table that the carried messages use. */
export type CarriedRows = Pick<Table<CarriedBody>, 'get' | 'entries' | 'write' | 'purge' | 'onWrite'>;

export class CarriedIndex {
  readonly #rows: Pick<CarriedRows, 'get' | 'entries'>;

  constructor(rows: Pick<CarriedRows, 'get' | 'entries'>) {
    this.#rows = rows;
  }

  message(id: string): Message | undefined {
    const body = this.#rows.get(messageRowId(id));
    return body?.kind === 'message' ? body : undefined;
  }

  /** Lists the messages, the oldest first. */
  messages(): MessageEntries {
    const messages = [...this.#rows.entries()].flatMap(([rowId, body]): [string, Message][] =>
      body.kind === 'message' ? [[rowId.slice(messageRowPrefix.length), body]] : [],
    );
    return messages.toSorted(([, a], [, b]) => Date.parse(a.taken_at) - Date.parse(b.taken_at));
  }

  /** Lists the incomplete messages with this id, the most complete first. */
  receiving(id: string): MessageEntries {
    const ofId = this.messages().filter(
      ([key, { state }]) => state === 'receiving' && (key === id || key.startsWith(keyPrefix(id))),
    );
    return ofId.toSorted(([, a], [, b]) => b.have - a.have);
  }

  /** Returns a key for this id that neither a stored message nor `taken` has. */
  newKeyOf(id: string, taken: readonly string[]): string {
    let number = 1;
    while (this.message(keyPrefix(id) + number) || taken.includes(keyPrefix(id) + number)) number++;
    return keyPrefix(id) + number;
  }

  requestOf(key: string): Bytes {
    return concat(...this.#parts(key).map(([, text]) => bytesIn(text)));
  }

  /** Tells whether the given bytes equal the stored bytes wherever the two overlap. */
  agrees(key: string, offset: number, bytes: Bytes): boolean {
    const end = offset + bytes.length;
    return this.#parts(key).every(([rowId, text]) => {
      const from = offsetOf(rowId);
      if (from >= end || from + text.length < offset) return true;
      return bytesIn(text).every((byte, at) => isSameByte(bytes[from + at - offset], byte));
    });
  }

  /**
   * Returns the row for added bytes, which follow the stored bytes. Small parts share a row, which keeps the number of
   * rows low.
   */
  partRow({ key, have, added }: { key: string; have: number; added: Bytes }): Row<CarriedBody> {
    const last = this.#parts(key).at(-1);
    return last && bytesInBase64url(last[1]) + added.length <= joinedPartsBytesMax
      ? { id: last[0], body: { kind: 'part', bytes: toBase64url(concat(bytesIn(last[1]), added)) } }
      : { id: partRowId(key, have), body: { kind: 'part', bytes: toBase64url(added) } };
  }

  /** Lists the messages that this device read from screens as QR codes, the newest first. */
  readCodes(): ReadCode[] {
    return this.messages()
      .filter(([, { by_code }]) => by_code)
      .toReversed()
      .map(([id, { taken_at, state }]) => {
        const answer = this.#rows.get(answerRowId(id));
        const receipt = (answer?.kind === 'answer' && answer.receipt) || null;
        return { name: codeName(id), taken_at, delivered: state === 'answered', refused: state === 'refused', receipt };
      });
  }

  /**
   * Returns the length and the name of an answer. The name is its nonce, which differs between two answers to one
   * message.
   */
  answerHead(id: string): { name: string; bytes: number } | undefined {
    const body = this.#rows.get(answerRowId(id));
    return body?.kind === 'answer'
      ? { name: body.bytes.slice(0, nonceChars), bytes: this.message(id)?.have ?? 0 }
      : undefined;
  }

  partRowIds(key: string): string[] {
    return this.#parts(key).map(([rowId]) => rowId);
  }

  #parts(key: string): (readonly [rowId: string, text: string])[] {
    const parts = [...this.#rows.entries()].flatMap(([rowId, body]) =>
      body.kind === 'part' && rowId.startsWith(partRowPrefix(key)) ? [[rowId, body.bytes] as const] : [],
    );
    return parts.toSorted(byRowId);
  }
}

const bytesIn = (text: string): Bytes => fromBase64url(text) ?? new Uint8Array();
/** Compares a stored byte with the given one. A byte that was not given counts as equal. */
const isSameByte = (given: number | undefined, stored: number): boolean => given === undefined || given === stored;
const joinedPartsBytesMax = 16 * 1024;
/** The nonce of an answer has at least 16 bytes, which are 21 full characters in base64url. */
const nonceChars = 21;

const messageRowPrefix = 'message|';
export const messageRowId = (key: string): string => messageRowPrefix + key;
export const answerRowId = (id: string): string => `answer|${id}`;
const partRowPrefix = (key: string): string => `part|${key}|`;
const keyPrefix = (id: string): string => `${id}~`;
const offsetOf = (rowId: string): number => Number(rowId.slice(-offsetDigits));
const offsetDigits = 8;
export const partRowId = (key: string, offset: number): string =>
  partRowPrefix(key) + String(offset).padStart(offsetDigits, '0');

const byRowId = ([a]: readonly [string, ...unknown[]], [b]: readonly [string, ...unknown[]]): number =>
  a < b ? -1 : 1;
