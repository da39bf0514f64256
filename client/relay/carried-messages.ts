/**
 * The sealed messages that this device carries for others, on its disk.
 *
 *   receiving ─ last byte ─► held ─ sealed answer of the server ─► answered ─ kept by its device ─► gone
 *       │ 1 day, or needed       │ the server will never open it      │ needed for a new message: gone
 *       │ for another: gone      └──► refused, without its bytes ─────┤
 *       └─────────────────────────────── 14 days: gone ───────────────┘
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
import { answerRowId, CarriedIndex, messageRowId, partRowId, type CarriedRows, type Message } from './carried-index.ts';
import {
  freeBytesOf,
  hasRoom,
  summaryOf,
  toDropForAnswer,
  toDropForPart,
  toDropForWhole,
  type Carrying,
} from './carried-quotas.ts';

/** A message that this device read from a screen. */
export interface ReadCode {
  /** The name that the screen shows, too. */
  name: string;
  taken_at: string;
  delivered: boolean;
  /** True if the server will never open it. The bytes are gone, and the device has all of it. */
  refused: boolean;
  /** The person types it into the device. Null before the delivery, and where the server gave none. */
  receipt: string | null;
}

/** Bounds what one device can bring in one session, so that it leaves room for others. */
export const newBytesPerSessionMax = 4 * 1024 * 1024;
const ageMsMax = 14 * 24 * 3_600_000;
/** A device that broke off comes again soon, or hands over anew. */
const partialAgeMsMax = 24 * 3_600_000;

/** The state of a message after a part of it came: the bytes that are stored, or why it is not taken. */
export type Received = { ok: true; have: number; isWhole: boolean } | { ok: false; code: 'full' | 'malformed' };

export class CarriedMessages {
  readonly #table: CarriedRows;
  readonly #index: CarriedIndex;
  readonly #wallMs: () => number;
  readonly #inTurn = mutex();
  readonly #summary: BehaviorSubject<Carrying>;

  /** The table must have its rows in memory. */
  constructor(table: CarriedRows, wallMs: () => number) {
    this.#table = table;
    this.#index = new CarriedIndex(table);
    this.#wallMs = wallMs;
    this.#summary = new BehaviorSubject(summaryOf(this.#index.messages()));
    table.onWrite('observer', () => this.#summary.next(summaryOf(this.#index.messages())));
  }

  get carrying$(): Observable<Carrying> {
    return this.#summary.asObservable();
  }

  /** The messages that came by code, the newest first: a person brings their receipts back. */
  get readCodes(): ReadCode[] {
    return this.#index
      .messages()
      .filter(([, { by_code }]) => by_code)
      .toReversed()
      .map(([id, { taken_at, state }]) => {
        const answer = this.#table.get(answerRowId(id));
        const receipt = (answer?.kind === 'answer' && answer.receipt) || null;
        return { name: codeName(id), taken_at, delivered: state === 'answered', refused: state === 'refused', receipt };
      });
  }

  get freeBytes(): number {
    return freeBytesOf(this.#index.messages());
  }

  has(id: string): boolean {
    return this.#index.message(id) !== undefined;
  }

  isRefused(id: string): boolean {
    return this.#index.message(id)?.state === 'refused';
  }

  /** Resolves when the bytes are on the disk. `newBytesLeft` bounds a message that this device does not know. */
  receive(part: Part, newBytesLeft: number, { byCode = false } = {}): Promise<Received> {
    return this.#inTurn(async () => {
      const { id, total, offset, bytes } = part;
      const known = this.#index.message(id);
      if (!known) await this.#dropExpired();
      const isTooLarge = total > sealedRequestBytesMax || total > newBytesLeft;
      if (!known && (isTooLarge || !hasRoom(this.#index.messages(), total))) return { ok: false, code: 'full' };
      if (known && known.total !== total) return { ok: false, code: 'malformed' };
      const have = known?.have ?? 0;
      // The sender goes on where the stored bytes end.
      const added = offset <= have ? bytes.slice(have - offset) : new Uint8Array();
      if (known && known.state !== 'receiving') return { ok: true, have: total, isWhole: true };
      if (added.length === 0) return { ok: true, have, isWhole: false };
      const taken_at = isoTime(this.#wallMs());
      const origin = byCode ? { by_code: true } : {};
      const before: Message = known ?? { kind: 'message', state: 'receiving', total, have: 0, taken_at, ...origin };
      const next: Message = { ...before, have: have + added.length, taken_at };
      const row = { id: partRowId(id, have), body: { kind: 'part', bytes: toBase64url(added) } } as const;
      if (next.have === total) return this.#complete({ id, next, row, added });
      await this.#removeAll(toDropForPart(this.#index.messages(), { id, bytes: added.length }));
      await this.#table.write([{ id: messageRowId(id), body: next }, row]);
      return { ok: true, have: next.have, isWhole: false };
    });
  }

  /** The messages to deliver, in the order in which they came. */
  get heldIds(): string[] {
    return this.#index.messages().flatMap(([id, { state }]) => (state === 'held' ? [id] : []));
  }

  /** Returns the bytes of the sealed request that are stored. */
  requestOf(id: string): Bytes {
    return this.#index.requestOf(id);
  }

  answerOf(id: string): Bytes | undefined {
    const body = this.#table.get(answerRowId(id));
    return body?.kind === 'answer' ? fromBase64url(body.bytes) : undefined;
  }

  /** Stores the answer in the place of the request, which is not needed any more. */
  storeAnswer(id: string, answer: Bytes, receipt?: string): Promise<void> {
    return this.#inTurn(async () => {
      const message = this.#index.message(id);
      if (message?.state !== 'held') return;
      await this.#removeAll(toDropForAnswer(this.#index.messages(), answer.length));
      const rows: Row<CarriedBody>[] = [
        { id: messageRowId(id), body: { ...message, state: 'answered', have: answer.length } },
        {
          id: answerRowId(id),
          body: { kind: 'answer', bytes: toBase64url(answer), ...(receipt === undefined ? {} : { receipt }) },
        },
      ];
      await this.#table.write(rows, this.#index.partRowIds(id));
    });
  }

  /** Forgets the bytes of a message that the server will never take, and remembers to tell its device so. */
  refuse(id: string): Promise<void> {
    return this.#inTurn(async () => {
      const message = this.#index.message(id);
      if (message?.state !== 'held') return;
      const row: Row<CarriedBody> = { id: messageRowId(id), body: { ...message, state: 'refused', have: 0 } };
      await this.#table.write([row], this.#index.partRowIds(id));
      await this.#purge();
    });
  }

  /** Forgets the message, since its device has the answer. */
  forget(id: string): Promise<void> {
    return this.#inTurn(() => this.#removeAll([id]));
  }

  dropExpired(): Promise<void> {
    return this.#inTurn(() => this.#dropExpired());
  }

  async #complete({ id, next, row, added }: Completion): Promise<Received> {
    if ((await messageIdOf(concat(this.requestOf(id), added))) !== id) {
      await this.#removeAll([id]);
      return { ok: false, code: 'malformed' };
    }
    // Other messages became whole meanwhile.
    if (!hasRoom(this.#index.messages(), next.total)) return { ok: false, code: 'full' };
    await this.#removeAll(toDropForWhole(this.#index.messages()));
    await this.#table.write([{ id: messageRowId(id), body: { ...next, state: 'held' } }, row]);
    return { ok: true, have: next.total, isWhole: true };
  }

  async #dropExpired(): Promise<void> {
    const expired = this.#index.messages().filter(([, { state, taken_at }]) => {
      const ageMs = this.#wallMs() - Date.parse(taken_at);
      return ageMs > (state === 'receiving' ? partialAgeMsMax : ageMsMax);
    });
    await this.#removeAll(expired.map(([id]) => id));
  }

  async #removeAll(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const rowIds = ids.flatMap((id) => [messageRowId(id), answerRowId(id), ...this.#index.partRowIds(id)]);
    await this.#table.write([], rowIds);
    await this.#purge();
  }

  #purge(): Promise<void> {
    return this.#table.purge({ rowsMax: 1_000 });
  }
}

interface Completion {
  id: string;
  next: Message;
  row: Row<CarriedBody>;
  added: Bytes;
}
