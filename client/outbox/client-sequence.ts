/** Changes the client id and the sequence numbers of this device's mutations, for example at a fork. */
import type { IdGenerator } from '../core/ids.ts';
import type { OutboxBody } from '../storage/rows.ts';
import type { Table } from '../storage/table.ts';
import { chainUpTo } from './model/chain.ts';
import type { OutboxContent } from './model/content.ts';
import { resendAll, startNewClient, type SequenceConflict } from './model/sequence/numbering.ts';
import type { OutboxReader } from './outbox-reader.ts';
import type { OutboxWriter } from './outbox-writer.ts';

interface ClientSequenceOptions {
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

  constructor({ table, reader, writer, ids }: ClientSequenceOptions) {
    this.#table = table;
    this.#reader = reader;
    this.#writer = writer;
    this.#ids = ids;
  }

  /** Returns the hash chain of this device's mutations up to `seq`; undefined if the outbox no longer has them all. */
  async chainUpTo(seq: number): Promise<string | undefined> {
    return chainUpTo(this.#reader.content, seq);
  }

  /**
   * Sends all mutations again under a new client id, because the server misses mutations of `client_id`. Does nothing
   * if this device already uses another client id.
   */
  resendAll(client_id: string): Promise<void> {
    return this.#renumber((content) =>
      content.device.client_id === client_id ? resendAll(content, this.#ids.uuid()) : content,
    );
  }

  /** Renumbers mutations, own or forwarded, if the server has other mutations under their sequence numbers. */
  async fork(conflict: SequenceConflict): Promise<void> {
    const { forkSequence } = await import('./model/sequence/fork.ts');
    await this.#renumber((content) => {
      const clients = [content.device, ...content.forwarded];
      const isKnownClient = clients.some(({ client_id }) => client_id === conflict.client_id);
      return isKnownClient ? forkSequence(content, conflict, this.#ids.uuid()) : content;
    });
  }

  /**
   * Turns pending mutations into forwarded ones before an export, so that the importing device may push them, too. The
   * server keeps the answers to forwarded mutations, so that both devices can read them.
   */
  forwardPending(): Promise<void> {
    return this.#renumber((content) =>
      content.pending.length > 0 ? startNewClient(content, this.#ids.uuid()) : content,
    );
  }

  /** Starts a new client id if the journal restored the device row. A second call does nothing. */
  leaveRestoredClient(): Promise<void> {
    return this.#renumber((content) =>
      content.device.is_put_back ? startNewClient(content, this.#ids.uuid()) : content,
    );
  }

  /** Reads all rows first, since another tab may have assigned a sequence number that this tab has not read yet. */
  #renumber(decide: (content: OutboxContent) => OutboxContent): Promise<void> {
    const read = () => this.#table.refreshAll();
    return this.#writer.rewrite({ read, decide: (content) => ({ content: decide(content), result: undefined }) });
  }
}
