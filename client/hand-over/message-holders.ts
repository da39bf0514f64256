/** Remembers which carriers have which messages of this device, and which recordings each message contains. */
import { isoTime } from '../core/clock.ts';
import type { HandOverBody } from '../storage/rows.ts';
import type { Table } from '../storage/table.ts';

type HeldMessages = Extract<HandOverBody, { kind: 'handed' }>['messages'];

/** After this time, a carrier may have dropped a message undelivered, so the device does not rely on the carrier. */
const ageMsMax = 14 * 24 * 3_600_000;
/** A carrier has room for this many messages. */
const messagesPerCarrierMax = 64;

export class MessageHolders {
  readonly #table: Table<HandOverBody>;
  readonly #wallMs: () => number;

  constructor(table: Table<HandOverBody>, wallMs: () => number) {
    this.#table = table;
    this.#wallMs = wallMs;
  }

  /** Returns, for each carrier that has the recording, the time at which the carrier first got the recording. */
  heldSince(session: string): string[] {
    return [...this.#table.entries()].flatMap(([, body]) => {
      if (body.kind !== 'handed') return [];
      const times = this.#unexpired(body.messages).flatMap(({ at, sessions }) =>
        sessions.includes(session) ? [at] : [],
      );
      return times.toSorted().slice(0, 1);
    });
  }

  /** Returns the ids of the messages that the carrier has. */
  messagesOf(carrier: string): string[] {
    return this.#entriesOf(carrier).map(({ id }) => id);
  }

  /** Must be called when the carrier has stored all of a message, which contains these recordings. */
  async add(carrier: string, message: { id: string; sessions: string[] }): Promise<void> {
    const known = this.#entriesOf(carrier);
    if (known.some(({ id }) => id === message.id)) return;
    const messages = [...known, { ...message, at: isoTime(this.#wallMs()) }].slice(-messagesPerCarrierMax);
    const isExpired = (body: HandOverBody) => body.kind === 'handed' && this.#unexpired(body.messages).length === 0;
    const rowId = rowIdOf(carrier);
    const expired = [...this.#table.entries()].flatMap(([id, body]) => (id !== rowId && isExpired(body) ? [id] : []));
    await this.#table.write([{ id: rowId, body: { kind: 'handed', messages } }], expired);
  }

  /** Must be called when the carrier may drop the message. */
  async remove(carrier: string, messageId: string): Promise<void> {
    const known = this.#entriesOf(carrier);
    const messages = known.filter(({ id }) => id !== messageId);
    if (messages.length < known.length) {
      await this.#table.write([{ id: rowIdOf(carrier), body: { kind: 'handed', messages } }]);
    }
  }

  #entriesOf(carrier: string): HeldMessages {
    const body = this.#table.get(rowIdOf(carrier));
    return body?.kind === 'handed' ? this.#unexpired(body.messages) : [];
  }

  #unexpired(messages: HeldMessages): HeldMessages {
    const before = this.#wallMs() - ageMsMax;
    return messages.filter(({ at }) => Date.parse(at) >= before);
  }
}

const rowIdOf = (carrier: string): string => `handed|${carrier}`;
