/** Reads the rows of carried messages: each message has a row of its own, one for each part, and one for its answer. */
import { fromBase64url } from '../../shared/relay/base64url.ts';
import { concat, type Bytes } from '../../shared/relay/byte-reader.ts';
import type { CarriedBody } from '../storage/rows.ts';
import type { Table } from '../storage/table.ts';

export type Message = Extract<CarriedBody, { kind: 'message' }>;
export type Messages = readonly (readonly [id: string, message: Message])[];

/** The rows of the messages, in memory and on a disk. */
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
  messages(): Messages {
    const messages = [...this.#rows.entries()].flatMap(([rowId, body]): [string, Message][] =>
      body.kind === 'message' ? [[rowId.slice(messageRowPrefix.length), body]] : [],
    );
    return messages.toSorted(([, a], [, b]) => Date.parse(a.taken_at) - Date.parse(b.taken_at));
  }

  requestOf(id: string): Bytes {
    const parts = [...this.#rows.entries()].flatMap(([rowId, body]) =>
      body.kind === 'part' && rowId.startsWith(partRowPrefix(id)) ? [[rowId, body.bytes] as const] : [],
    );
    return concat(...parts.toSorted(byRowId).map(([, text]) => fromBase64url(text) ?? new Uint8Array()));
  }

  partRowIds(id: string): string[] {
    return [...this.#rows.entries()].flatMap(([rowId]) => (rowId.startsWith(partRowPrefix(id)) ? [rowId] : []));
  }
}

const messageRowPrefix = 'message|';
export const messageRowId = (id: string): string => messageRowPrefix + id;
export const answerRowId = (id: string): string => `answer|${id}`;
const partRowPrefix = (id: string): string => `part|${id}|`;
const offsetDigits = 8;
export const partRowId = (id: string, offset: number): string =>
  partRowPrefix(id) + String(offset).padStart(offsetDigits, '0');

const byRowId = ([a]: readonly [string, ...unknown[]], [b]: readonly [string, ...unknown[]]): number =>
  a < b ? -1 : 1;
