/**
 * The sealed messages that this device carries for others, on its disk.
 *
 *   receiving ─ last byte ─► held ─ sealed answer of the server ─► answered ─ kept by its device ─► gone
 *       │                     │ refused for good: gone              │ needed for a new message: gone
 *       └───────────── 14 days: gone ─────────────────────────────┘
 *
 * A message that is gone is no loss: its device keeps the work until it has the proof of the server.
 */
import { BehaviorSubject, type Observable } from 'rxjs';
import { fromBase64url, toBase64url } from '../../shared/relay/base64url.ts';
import { concat, type Bytes } from '../../shared/relay/byte-reader.ts';
import { codeName } from '../../shared/relay/code-frames.ts';
import { messageIdOf, type Part } from '../../shared/relay/frames.ts';
import { sealedRequestBytesMax } from '../../shared/relay/media-types.ts';
import { isoTime } from '../core/clock.ts';
import { mutex } from '../core/mutex.ts';
import type { CarriedBody, Row } from '../storage/rows.ts';
import type { Table } from '../storage/table.ts';

/** Counts the messages that this device carries for others. */
export interface Carrying {
  messages: number;
  bytes: number;
  /** When the oldest of them came, by the clock of this device; null if there is none. */
  oldest_at: string | null;
}

/** A message that this device read from a screen. */
export interface ReadCode {
  /** The name that the screen shows, too. */
  name: string;
  taken_at: string;
  delivered: boolean;
  /** The person types it into the device. Null before the delivery, and where the server gave none. */
  receipt: string | null;
}

type Message = Extract<CarriedBody, { kind: 'message' }>;

export const messagesMax = 64;
export const bytesMax = 16 * 1024 * 1024;
/** Bounds what one device can bring in one session, so that it leaves room for others. */
export const newBytesPerSessionMax = 4 * 1024 * 1024;
const ageMsMax = 14 * 24 * 3_600_000;

/** The state of a message after a part of it came: the bytes that are stored, or why it is not taken. */
export type Received = { ok: true; have: number; isWhole: boolean } | { ok: false; code: 'full' | 'malformed' };

/** The rows of the messages, in memory and on a disk. */
export type CarriedRows = Pick<Table<CarriedBody>, 'get' | 'entries' | 'write' | 'purge' | 'onWrite'>;

export class CarriedMessages {
  readonly #table: CarriedRows;
  readonly #wallMs: () => number;
  readonly #inTurn = mutex();
  readonly #summary: BehaviorSubject<Carrying>;

  /** The table must have its rows in memory. */
  constructor(table: CarriedRows, wallMs: () => number) {
    this.#table = table;
    this.#wallMs = wallMs;
    this.#summary = new BehaviorSubject(this.#summarize());
    table.onWrite('observer', () => this.#summary.next(this.#summarize()));
  }

  get carrying$(): Observable<Carrying> {
    return this.#summary.asObservable();
  }

  /** The messages that came by code, the newest first: a person brings their receipts back. */
  get readCodes(): ReadCode[] {
    return this.#messages()
      .filter(([, { by_code }]) => by_code)
      .toReversed()
      .map(([id, { taken_at, state }]) => {
        const answer = this.#table.get(answerRowId(id));
        const receipt = (answer?.kind === 'answer' && answer.receipt) || null;
        return { name: codeName(id), taken_at, delivered: state === 'answered', receipt };
      });
  }

  get freeBytes(): number {
    return Math.max(0, bytesMax - this.#summary.value.bytes);
  }

  has(id: string): boolean {
    return this.#message(id) !== undefined;
  }

  /** Resolves when the bytes are on the disk. `newBytesLeft` bounds a message that this device does not know. */
  receive(part: Part, newBytesLeft: number, { byCode = false } = {}): Promise<Received> {
    return this.#inTurn(async () => {
      const { id, total, offset, bytes } = part;
      const known = this.#message(id);
      if (!known && (total > sealedRequestBytesMax || total > newBytesLeft || !(await this.#makeRoom(total)))) {
        return { ok: false, code: 'full' };
      }
      const message: Message = known ?? {
        kind: 'message',
        state: 'receiving',
        total,
        have: 0,
        taken_at: isoTime(this.#wallMs()),
        ...(byCode ? { by_code: true } : {}),
      };
      if (message.total !== total) return { ok: false, code: 'malformed' };
      const { have } = message;
      // The sender goes on where the stored bytes end.
      const added = offset <= have ? bytes.slice(have - offset) : new Uint8Array();
      if (message.state !== 'receiving' || added.length === 0) return { ok: true, have, isWhole: have === total };
      const next = { ...message, have: have + added.length };
      const row = { id: partRowId(id, have), body: { kind: 'part', bytes: toBase64url(added) } } as const;
      if (next.have < total) {
        await this.#table.write([{ id: messageRowId(id), body: next }, row]);
        return { ok: true, have: next.have, isWhole: false };
      }
      if ((await messageIdOf(concat(this.requestOf(id), added))) !== id) {
        await this.#remove(id);
        return { ok: false, code: 'malformed' };
      }
      await this.#table.write([{ id: messageRowId(id), body: { ...next, state: 'held' } }, row]);
      return { ok: true, have: total, isWhole: true };
    });
  }

  /** The messages to deliver, in the order in which they came. */
  get heldIds(): string[] {
    return this.#messages().flatMap(([id, { state }]) => (state === 'held' ? [id] : []));
  }

  /** Returns the bytes of the sealed request that are stored. */
  requestOf(id: string): Bytes {
    const parts = [...this.#table.entries()].flatMap(([rowId, body]) =>
      body.kind === 'part' && rowId.startsWith(partRowPrefix(id)) ? [[rowId, body.bytes] as const] : [],
    );
    return concat(...parts.toSorted(byRowId).map(([, text]) => fromBase64url(text) ?? new Uint8Array()));
  }

  answerOf(id: string): Bytes | undefined {
    const body = this.#table.get(answerRowId(id));
    return body?.kind === 'answer' ? fromBase64url(body.bytes) : undefined;
  }

  /** Stores the answer in the place of the request, which is not needed any more. */
  storeAnswer(id: string, answer: Bytes, receipt?: string): Promise<void> {
    return this.#inTurn(async () => {
      const message = this.#message(id);
      if (message?.state !== 'held') return;
      const rows: Row<CarriedBody>[] = [
        { id: messageRowId(id), body: { ...message, state: 'answered' } },
        {
          id: answerRowId(id),
          body: { kind: 'answer', bytes: toBase64url(answer), ...(receipt === undefined ? {} : { receipt }) },
        },
      ];
      await this.#table.write(rows, this.#partRowIds(id));
    });
  }

  /** Forgets the message, since its device has the answer or the server will never take it. */
  forget(id: string): Promise<void> {
    return this.#inTurn(() => this.#remove(id));
  }

  dropExpired(): Promise<void> {
    return this.#inTurn(async () => {
      const before = this.#wallMs() - ageMsMax;
      for (const [id, { taken_at }] of this.#messages()) if (Date.parse(taken_at) < before) await this.#remove(id);
    });
  }

  /** Removes answered messages, the oldest first, until there is room. Never removes one that was not delivered. */
  async #makeRoom(bytes: number): Promise<boolean> {
    const answered = this.#messages().flatMap(([id, { state }]) => (state === 'answered' ? [id] : []));
    const fits = () => this.#summary.value.messages < messagesMax && this.freeBytes >= bytes;
    const needed = this.#messages().filter(([, { state }]) => state !== 'answered');
    const bytesNeeded = needed.reduce((sum, [, { total }]) => sum + total, 0);
    if (needed.length >= messagesMax || bytesNeeded + bytes > bytesMax) return false;
    for (const id of answered) {
      if (fits()) break;
      await this.#remove(id);
    }
    return true;
  }

  async #remove(id: string): Promise<void> {
    await this.#table.write([], [messageRowId(id), answerRowId(id), ...this.#partRowIds(id)]);
    await this.#table.purge({ rowsMax: 1_000 });
  }

  #message(id: string): Message | undefined {
    const body = this.#table.get(messageRowId(id));
    return body?.kind === 'message' ? body : undefined;
  }

  /** Lists the messages, the oldest first. */
  #messages(): [id: string, message: Message][] {
    const messages = [...this.#table.entries()].flatMap(([rowId, body]): [string, Message][] =>
      body.kind === 'message' ? [[rowId.slice(messageRowPrefix.length), body]] : [],
    );
    return messages.toSorted(([, a], [, b]) => Date.parse(a.taken_at) - Date.parse(b.taken_at));
  }

  #partRowIds(id: string): string[] {
    return [...this.#table.entries()].flatMap(([rowId]) => (rowId.startsWith(partRowPrefix(id)) ? [rowId] : []));
  }

  #summarize(): Carrying {
    const messages = this.#messages();
    const bytes = messages.reduce((sum, [, { total }]) => sum + total, 0);
    return { messages: messages.length, bytes, oldest_at: messages[0]?.[1].taken_at ?? null };
  }
}

const messageRowPrefix = 'message|';
const messageRowId = (id: string): string => messageRowPrefix + id;
const answerRowId = (id: string): string => `answer|${id}`;
const partRowPrefix = (id: string): string => `part|${id}|`;
const offsetDigits = 8;
const partRowId = (id: string, offset: number): string =>
  partRowPrefix(id) + String(offset).padStart(offsetDigits, '0');

const byRowId = ([a]: readonly [string, ...unknown[]], [b]: readonly [string, ...unknown[]]): number =>
  a < b ? -1 : 1;
