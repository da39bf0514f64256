/**
 * Stores the sealed messages that this device carries for others. The states of a message:
 *
 *   receiving ─ last byte ─► held ─ server answers, sealed ─► answered ─ its device has the answer ─► dropped
 *       │                      └─── server never opens it ──► refused, without its bytes
 *       └► dropped after 1 day, or when another message needs the room
 *   held:               dropped after 14 days if a delivery was tried in vain, or when it gives way to another message
 *   answered, refused:  dropped after 28 days, or when a new message needs the room
 * A dropped message is no loss: its device keeps the work until a pull proves that the server has it.
 */
import { BehaviorSubject, type Observable } from 'rxjs';
import { fromBase64url, toBase64url } from '../../shared/relay/base64url.ts';
import { concat, type Bytes } from '../../shared/relay/byte-reader.ts';
import { messageIdOf, type PartFrame } from '../../shared/relay/frames.ts';
import { sealedRequestBytesMax } from '../../shared/relay/media-types.ts';
import { isoTime } from '../core/clock.ts';
import { mutex } from '../core/mutex.ts';
import type { CarriedBody, Row } from '../storage/rows.ts';
import { answerRowId, CarriedIndex, messageRowId, partRowId, type CarriedRows, type Message } from './carried-index.ts';
import { findExpired, freeBytesOf, admissionFor, summaryOf, toDropForAnswer, toDropForPart } from './carried-quotas.ts';
import type { Carrying, ReadCode } from './carrier-verbs.ts';
import type { BegunMessage, GivingSession } from './giving-session.ts';

const purgeLimit = { rowsMax: 1_000 };

/** The result of receiving a part: how many bytes are stored now, or why the part was refused. */
export type ReceiveResult = { ok: true; have: number; isWhole: boolean } | { ok: false; code: 'full' | 'malformed' };

export class CarriedMessages {
  readonly #table: CarriedRows;
  readonly #index: CarriedIndex;
  readonly #wallMs: () => number;
  readonly #inTurn = mutex();
  /** The open sessions that have begun a message. */
  readonly #sessions = new Set<GivingSession>();
  readonly #summary: BehaviorSubject<Carrying>;

  /** Requires a table whose rows are all in memory. */
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

  /** The messages that this device read from screens as QR codes, the newest first. */
  get readCodes(): ReadCode[] {
    return this.#index.readCodes();
  }

  get freeBytes(): number {
    return freeBytesOf(this.#index.messages());
  }

  /** True once all bytes of the message were received, also after it was answered or refused. */
  wasReceivedWhole(id: string): boolean {
    return (this.#index.message(id)?.state ?? 'receiving') !== 'receiving';
  }

  isRefused(id: string): boolean {
    return this.#index.message(id)?.state === 'refused';
  }

  /** Stores a part of a message. Resolves when the part is on the disk. */
  receive(part: PartFrame, session: GivingSession, { byCode = false } = {}): Promise<ReceiveResult> {
    return this.#inTurn(async () => {
      const { id, total, offset, bytes } = part;
      if (this.wasReceivedWhole(id)) {
        const isOfTotal = this.#index.message(id)?.total === total;
        return isOfTotal ? { ok: true, have: total, isWhole: true } : { ok: false, code: 'malformed' };
      }
      const begun = await this.#begin(part, session);
      if (!begun) return { ok: false, code: 'full' };
      const { key } = begun;
      const have = this.#index.message(key)?.have ?? 0;
      // Keep only the bytes that follow the stored bytes, since parts may overlap.
      const added = offset <= have ? bytes.slice(have - offset) : new Uint8Array();
      if (added.length === 0) return { ok: true, have, isWhole: false };
      const stored = { total, have: have + added.length, taken_at: isoTime(this.#wallMs()) };
      const next: Message = { kind: 'message', state: 'receiving', ...stored, ...(byCode ? { by_code: true } : {}) };
      if (next.have === total) return this.#complete({ id, begun, session, next, added });
      await this.#removeAll(
        toDropForPart(this.#index.messages(), { key, bytes: added.length, originOf: this.#originOf }),
      );
      await this.#table.write([{ id: messageRowId(key), body: next }, this.#index.partRow({ key, have, added })]);
      return { ok: true, have: next.have, isWhole: false };
    });
  }

  /** Must be called when the session ends, so that another session may continue its incomplete messages. */
  release(session: GivingSession): void {
    this.#sessions.delete(session);
  }

  /** The ids of the messages to deliver, the oldest first. Messages that give way to others come last. */
  get heldIds(): string[] {
    const held = this.#index.messages().filter(([, { state }]) => state === 'held');
    const ordered = held.toSorted(([, a], [, b]) => Number(a.gives_way ?? false) - Number(b.gives_way ?? false));
    return ordered.map(([id]) => id);
  }

  /** Returns the stored bytes of the sealed request. */
  requestOf(id: string): Bytes {
    return this.#index.requestOf(id);
  }

  answerHeadOf(id: string): { name: string; bytes: number } | undefined {
    return this.#index.answerHead(id);
  }

  answerOf(id: string): Bytes | undefined {
    const body = this.#table.get(answerRowId(id));
    return body?.kind === 'answer' ? fromBase64url(body.bytes) : undefined;
  }

  /** Stores the answer and removes the request, which is no longer needed. */
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

  /** Marks a message as refused for good and removes its bytes. The mark stays for the message's device. */
  refuse(id: string): Promise<void> {
    return this.#inTurn(async () => {
      const message = this.#index.message(id);
      if (message?.state !== 'held') return;
      const body = { ...message, state: 'refused', have: 0 } as const;
      await this.#table.write([{ id: messageRowId(id), body }], this.#index.partRowIds(id));
      await this.#table.purge(purgeLimit);
    });
  }

  /** Marks a message that may be dropped when another one needs its room. */
  letGiveWay(id: string): Promise<void> {
    return this.#inTurn(async () => {
      const message = this.#index.message(id);
      if (message?.state !== 'held' || message.gives_way) return;
      await this.#table.write([{ id: messageRowId(id), body: { ...message, gives_way: true } }]);
    });
  }

  /** Removes a message whose answer its device has stored. Does nothing if there is no answer yet. */
  forget(id: string): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#index.message(id)?.state === 'answered') await this.#removeAll([id]);
    });
  }

  /** Removes expired messages. A held message expires only if it is in `triedInVain`. */
  dropExpired(triedInVain: ReadonlySet<string>): Promise<void> {
    return this.#inTurn(() => this.#dropExpired(triedInVain));
  }

  /**
   * Returns the incomplete message that the part continues, or begins a message; undefined if there is no room. Only
   * one session at a time adds to an incomplete message, so wrong bytes of another device cannot damage it.
   */
  async #begin({ id, total, offset, bytes }: PartFrame, session: GivingSession): Promise<BegunMessage | undefined> {
    const isOfPart = (key: string) =>
      (this.#index.message(key)?.total ?? total) === total && this.#index.agrees(key, offset, bytes);
    const own = session.begunOf(id);
    if (own && isOfPart(own.key)) return own;
    const taken = [...this.#sessions].flatMap(({ keys }) => keys);
    const others = own ? [] : this.#index.receiving(id).filter(([key]) => isOfPart(key));
    const [first] = others;
    // A part that only repeats stored bytes does not take the message over from another session.
    const addsTo = ({ have }: Message) => offset <= have && offset + bytes.length > have;
    if (first && !addsTo(first[1])) return { key: first[0], isContinued: true };
    this.#sessions.add(session);
    const continued = others.find(([key]) => !taken.includes(key));
    if (continued) return session.begin(id, { key: continued[0], isContinued: true });
    await this.#dropExpired(new Set());
    const isTooLarge = total > sealedRequestBytesMax || total > session.newBytesLeft;
    if (isTooLarge || !admissionFor(this.#index.messages(), total, session.broughtIds)) return undefined;
    session.newBytesLeft -= total;
    await this.#removeAll(session.forgetForOneMore());
    return session.begin(id, { key: this.#index.newKeyOf(id, taken), isContinued: false });
  }

  /** Returns the set of ids that all sessions of the message's origin share, to tell this origin from others. */
  readonly #originOf = (key: string): object | undefined =>
    [...this.#sessions].find(({ keys }) => keys.includes(key))?.broughtIds;

  async #complete({ id, begun, session, next, added }: CompletedMessage): Promise<ReceiveResult> {
    const { key, isContinued } = begun;
    const request = concat(this.requestOf(key), added);
    if ((await messageIdOf(request)) !== id) {
      await this.#removeAll([key]);
      if (!isContinued) return { ok: false, code: 'malformed' };
      // The first bytes came from an earlier session, perhaps of another device. Ask this session for all bytes.
      session.begin(id, { key, isContinued: false });
      return { ok: true, have: 0, isWhole: false };
    }
    // Check the room again, since other messages may have been completed after this message began.
    const admission = admissionFor(this.#index.messages(), next.total, session.broughtIds);
    if (!admission) return { ok: false, code: 'full' };
    const others = this.#index.receiving(id).filter(([other]) => other !== key);
    await this.#removeAll([...admission.toDrop, ...others.map(([other]) => other)]);
    const part = { id: partRowId(id, 0), body: { kind: 'part', bytes: toBase64url(request) } } as const;
    const held = { ...next, state: 'held', ...(admission.givesWay ? { gives_way: true } : {}) } as const;
    const message = { id: messageRowId(id), body: held };
    const gone = [messageRowId(key), ...this.#index.partRowIds(key)];
    const isGone = (rowId: string) => rowId !== part.id && rowId !== message.id;
    await this.#table.write([message, part], gone.filter(isGone));
    session.end(id);
    return { ok: true, have: next.total, isWhole: true };
  }

  async #dropExpired(triedInVain: ReadonlySet<string>): Promise<void> {
    const nowMs = this.#wallMs();
    const { toDrop, toRedate } = findExpired(this.#index.messages(), { nowMs, triedInVain });
    for (const [id, message] of toRedate) {
      const body = { ...message, taken_at: isoTime(nowMs), dated_anew: true } as const;
      await this.#table.write([{ id: messageRowId(id), body }]);
    }
    await this.#removeAll(toDrop);
  }

  async #removeAll(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const rowIds = ids.flatMap((id) => [messageRowId(id), answerRowId(id), ...this.#index.partRowIds(id)]);
    await this.#table.write([], rowIds);
    await this.#table.purge(purgeLimit);
  }
}

interface CompletedMessage {
  id: string;
  begun: BegunMessage;
  session: GivingSession;
  next: Message;
  added: Bytes;
}
