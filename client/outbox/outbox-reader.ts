/** Reads the outbox: finds entries by state, sequence number, row and recording. */
import type { Subscription } from 'rxjs';
import { transferMarkRowId, mutationRowId, type DeviceBody, type OutboxBody } from '../storage/rows.ts';
import type { WrittenRows, ListenerStage } from '../storage/row-cache.ts';
import type { Table } from '../storage/table.ts';
import type { DeviceIdentity } from './identity.ts';
import type { OutboxContent } from './model/content.ts';
import { byLatestDiscard } from './model/discarding.ts';
import type { DiscardedEntry, EntryOfState, EntryState, OutboxEntry } from './model/entry.ts';
import { OutboxIndex } from './outbox-index.ts';

export class OutboxReader {
  readonly #identity: DeviceIdentity;
  readonly #table: Table<OutboxBody>;
  readonly #index: OutboxIndex;

  constructor(table: Table<OutboxBody>, identity: DeviceIdentity) {
    this.#table = table;
    this.#identity = identity;
    this.#index = new OutboxIndex(table);
  }

  get device(): DeviceBody {
    return this.#identity.device;
  }

  onWrite(stage: ListenerStage, listener: (written: WrittenRows<OutboxBody>) => void): Subscription {
    return this.#table.onWrite(stage, listener);
  }

  /** Returns the entries sorted by sequence number; forwarded entries sorted by `forwardOrder`. */
  entries<State extends EntryState>(state: State): EntryOfState<State>[] {
    return this.#index.entries(state);
  }

  /** Finds the entry with this number under the device's current client id. */
  entryWithNumber(seq: number): OutboxEntry | undefined {
    return this.#index.entryByRowId(mutationRowId(this.device.client_id, seq));
  }

  entryByRowId(rowId: string): OutboxEntry | undefined {
    return this.#index.entryByRowId(rowId);
  }

  /**
   * Finds the upload of a recording. If several entries upload the recording, returns the entry that this tab stored or
   * read last. Ignores discarded entries.
   */
  latestUpload(recordingSessionId: string): OutboxEntry | undefined {
    return this.#index.latestUpload(recordingSessionId);
  }

  /** Returns several entries if another device's upload of the recording was imported. */
  uploads(recordingSessionId: string): OutboxEntry[] {
    return this.#index.uploads(recordingSessionId);
  }

  /** Finds the entry that creates the map; undefined once the server has created the map. */
  entryCreatingMap(mapId: string): OutboxEntry | undefined {
    return this.#index.entryCreatingMap(mapId);
  }

  get discardedLatestFirst(): DiscardedEntry[] {
    return this.entries('discarded').toSorted(byLatestDiscard);
  }

  /** True if this device exported or imported the mutation with this transfer mark, and so must not import it again. */
  hasTransferMark(mark: string): boolean {
    return this.#table.get(transferMarkRowId(mark)) !== undefined;
  }

  get content(): OutboxContent {
    return {
      device: this.device,
      pending: this.entries('pending'),
      forwarded: this.entries('forwarded'),
      refused: this.entries('refused'),
      receipts: this.entries('receipt'),
      discarded: this.entries('discarded'),
    };
  }

  /**
   * Reads other tabs' mutations if this tab lacks any. Otherwise this tab could push its own mutation before an earlier
   * mutation of another tab.
   */
  async readMissingMutations(readSettledSeq: () => number): Promise<void> {
    const { client_id, last_seq } = await this.#identity.refreshDevice();
    // Read the settled sequence number only now: it depends on the client id, which another tab may have changed.
    const settledSeq = readSettledSeq();
    const ownPending = this.entries('pending').filter(
      (entry) => entry.client_id === client_id && entry.seq > settledSeq,
    );
    if (ownPending.length < last_seq - settledSeq) await this.#table.refreshAll();
  }
}
