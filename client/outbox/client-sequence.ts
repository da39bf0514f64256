/** Changes the client id and the numbers of this device's mutations, for example at a fork. */
import type { IdGenerator } from '../core/ids.ts';
import type { OutboxBody } from '../storage/rows.ts';
import type { Table } from '../storage/table.ts';
import { chainUpTo } from './model/chain.ts';
import type { OutboxContent } from './model/content.ts';
import { forkSequence, resendAll, startNewClient, type SequenceConflict } from './model/sequence/numbering.ts';
import type { OutboxReader } from './outbox-reader.ts';
import type { OutboxWriter } from './outbox-writer.ts';

interface SequenceOptions {
  table: Table<OutboxBody>;
  reader: OutboxReader;
  writer: OutboxWriter;
  ids: IdGenerator;
}

export class ClientSequence {
  readonly #table: Table<OutboxBody>;
  readonly #reader: OutboxReader;
  readonly #writer: OutboxWriter;
  readonly #ids: IdGenerator;

  constructor({ table, reader, writer, ids }: SequenceOptions) {
    this.#table = table;
    this.#reader = reader;
    this.#writer = writer;
    this.#ids = ids;
  }

  /** Returns the hash chain of this device's mutations up to `seq`; undefined if the outbox no longer has all of them. */
  async chainUpTo(seq: number): Promise<string | undefined> {
    return chainUpTo(this.#reader.content, seq);
  }

  /**
   * Sends everything again, because the server misses mutations of `client_id`. Does nothing if the device has another
   * client id now, because another tab has sent everything again already.
   */
  resendAll(client_id: string): Promise<void> {
    return this.#renumber((content) =>
      content.device.client_id === client_id ? resendAll(content, this.#ids.uuid()) : content,
    );
  }

  /** Gives new numbers to work, own or forwarded, under whose numbers the server has other work. */
  fork(conflict: SequenceConflict): Promise<void> {
    return this.#renumber((content) => {
      const clients = [content.device, ...content.forwarded];
      const isKnownClient = clients.some(({ client_id }) => client_id === conflict.client_id);
      return isKnownClient ? forkSequence(content, conflict, this.#ids.uuid()) : content;
    });
  }

  /**
   * Turns pending work into forwarded work before an export, so that an importing device may push it, too. No device
   * acknowledges the answers to forwarded work, so the server keeps them, and both devices can read them.
   */
  forwardPending(): Promise<void> {
    return this.#renumber((content) =>
      content.pending.length > 0 ? startNewClient(content, this.#ids.uuid()) : content,
    );
  }

  /**
   * Starts a new client id if the journal restored the device row. If several tabs call this, only the first call does.
   */
  leaveRestoredClient(): Promise<void> {
    return this.#renumber((content) =>
      content.device.is_put_back ? startNewClient(content, this.#ids.uuid()) : content,
    );
  }

  /** Reads all rows first, because events about the writes of other tabs may be late and numbers must not clash. */
  #renumber(decide: (content: OutboxContent) => OutboxContent): Promise<void> {
    const read = () => this.#table.refreshAll();
    return this.#writer.rewrite({ read, decide: (content) => ({ content: decide(content), result: undefined }) });
  }
}
