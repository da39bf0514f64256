/**
 * The ordered outbox: what this device did and still answers for.
 *
 *   append ─► pending ─┬─ pulled as done ───► gone, or a receipt when it is a recording
 *                      └─ pulled as refused ► refused: needs attention, replaced or discarded when a person resolved it
 *
 *   import, export, new token ─► carried: pushed under the client id that it has; then as above
 *
 * Each append numbers its mutations and writes them, and the device's row with the new `last_seq`, in one transaction.
 */
import type { Subscription } from 'rxjs';
import type { Ids } from '../core/ids.ts';
import type { Locks } from '../core/locks.ts';
import {
  deviceRowId,
  movedRowId,
  mutationRowId,
  type DeviceBody,
  type MutationBody,
  type OutboxBody,
  type Row,
} from '../storage/rows.ts';
import type { Written, WrittenStage } from '../storage/row-cache.ts';
import type { Table } from '../storage/table.ts';
import type { RefusedBody } from './attention/attention.ts';
import { deviceRow, newBody, newDevice, rowOf } from './model/bodies.ts';
import type { OutboxContent } from './model/content.ts';
import { lastDiscardedFirst, withDiscarded, withUndiscarded } from './model/discarding.ts';
import { requireAccount } from './model/require-account.ts';
import { OutboxIndex } from './outbox-index.ts';
import { Identity } from './device-row.ts';
import { withImported, type Imported, type Work } from './model/importing.ts';
import type { NewMutation } from './model/mutation.ts';
import { renumbered, underNewClient } from './model/numbering.ts';
import { renewed } from './model/renewal.ts';
import { replaced, type Appending } from './model/replacement.ts';
import { rewriting } from './model/rewriting.ts';
import { Sequence } from './model/sequence.ts';
import { carriedSettled, settled, withoutOldReceipts, type Pulled } from './model/settlement.ts';

interface OutboxOptions {
  table: Table<OutboxBody>;
  locks: Locks;
  ids: Ids;
  now: () => string;
  /** The server's time, as it told it last; undefined before. */
  serverNow?: () => string | undefined;
}

export class Outbox {
  readonly #table: Table<OutboxBody>;
  readonly #ids: Ids;
  readonly #now: () => string;
  readonly #serverNow: () => string | undefined;
  readonly #index: OutboxIndex;
  readonly identity: Identity;
  readonly sequence: Sequence;

  private constructor({ table, locks, ids, now, serverNow = () => undefined }: OutboxOptions) {
    this.#serverNow = serverNow;
    this.#table = table;
    this.#ids = ids;
    this.#now = now;
    this.#index = new OutboxIndex(table);
    this.identity = new Identity(table, locks);
    const rewrite = (decide: (content: OutboxContent) => OutboxContent) => this.#rewrite(decide);
    this.sequence = new Sequence({ ids, content: () => this.#content(), rewrite });
  }

  static async open(options: OutboxOptions): Promise<Outbox> {
    const outbox = new Outbox(options);
    await outbox.#exclusive(async () => {
      if (await outbox.#table.refresh(deviceRowId)) return;
      await outbox.#table.write([deviceRow(newDevice(outbox.#ids))]);
    });
    if (outbox.device.is_put_back) await outbox.#numberAfterLoss();
    return outbox;
  }

  get device(): DeviceBody {
    return this.identity.device;
  }

  onWritten(stage: WrittenStage, listener: (written: Written<OutboxBody>) => void): Subscription {
    return this.#table.onWritten(stage, listener);
  }

  /** The mutations in the order in which they were made. */
  mutations(state: MutationBody['state']): MutationBody[] {
    return this.#index.mutations(state);
  }

  /** The mutation of this number in the present sequence. */
  get(seq: number): MutationBody | undefined {
    return this.#index.get(mutationRowId(this.device.client_id, seq));
  }

  /** The latest mutation that uploads this recording, in any state but discarded. */
  uploadOf(recordingSessionId: string): MutationBody | undefined {
    return this.#index.ofSession(recordingSessionId);
  }

  /** All mutations that upload this recording, since another device may have finished it, too. */
  uploadsOf(recordingSessionId: string): MutationBody[] {
    return this.#index.allOfSession(recordingSessionId);
  }

  /** The mutation that makes a map; undefined once it is done. */
  makerOf(mapId: string): MutationBody | undefined {
    return this.#index.makerOf(mapId);
  }

  /** Makes mutations, all or none; resolves when they are durable. */
  append(mutations: NewMutation[]): Promise<MutationBody[]> {
    return this.#exclusive(async () => {
      const { device, bodies } = this.#appended(await this.identity.fresh(), mutations);
      await this.#table.write([deviceRow(device), ...bodies.map(rowOf)]);
      return bodies;
    });
  }

  /** Refused mutations wait for a person. */
  get refused(): RefusedBody[] {
    return this.mutations('refused').filter((body): body is RefusedBody => body.error !== null);
  }

  /** Mutations that a person gave up, the last one first. */
  get discarded(): RefusedBody[] {
    return this.mutations('discarded')
      .filter((body): body is RefusedBody => body.error !== null)
      .toSorted(lastDiscardedFirst);
  }

  /** Makes mutations in place of a refused one, and its dependents anew; false when another tab did so already. */
  replace(refused: MutationBody, mutations: NewMutation[]): Promise<boolean> {
    return this.#rewriteOne(refused, (content, body) =>
      replaced(content, { refused: body, mutations, append: this.#appended }),
    );
  }

  /** Gives a refused mutation up; the last 20 can be restored. False when another tab was quicker. */
  discard(refused: MutationBody): Promise<boolean> {
    return this.#rewriteOne(refused, (content, body) => withDiscarded(content, body, this.#now()));
  }

  /** Makes a discarded mutation need attention again; false when another tab was quicker. */
  restoreChange(discarded: MutationBody): Promise<boolean> {
    return this.#rewriteOne(discarded, withUndiscarded);
  }

  /** Rewrites one mutation, unless another tab changed its state meanwhile. */
  async #rewriteOne(
    { seq, client_id, state }: MutationBody,
    decide: (content: OutboxContent, body: MutationBody) => OutboxContent,
  ): Promise<boolean> {
    const id = mutationRowId(client_id, seq);
    let found = false;
    await this.#rewrite(
      (content) => {
        const body = this.#index.get(id);
        found = body?.state === state;
        return found ? decide(content, body!) : content;
      },
      { refresh: () => this.#table.refresh(id) },
    );
    return found;
  }

  /**
   * Reads what other tabs made, if numbers above the settled ones are unknown here: this tab's own work would be pushed
   * before an earlier mutation of another tab.
   */
  async catchUp(settledSeqNow: () => number): Promise<void> {
    const { client_id, last_seq } = await this.identity.fresh();
    const settledSeq = settledSeqNow();
    const unsettled = this.mutations('pending').filter((body) => body.client_id === client_id && body.seq > settledSeq);
    if (unsettled.length < last_seq - settledSeq) await this.#table.refreshAll();
  }

  /**
   * Settles mutations by what a pull told. After a restore of the server everything is numbered anew and offered again,
   * which idempotency makes safe.
   */
  async settle(pulled: Pulled): Promise<void> {
    const serverNow = this.#serverNow();
    const now = serverNow ?? this.#now();
    await this.#rewrite((content) => {
      const after = withoutOldReceipts(carriedSettled(settled(content, pulled, now), pulled, now), serverNow);
      const { stands = () => false } = pulled;
      const current = this.#numbered(renewed(after, { ids: this.#ids, append: this.#appended, stands }), pulled);
      return { ...current, device: { ...current.device, epoch: pulled.epoch } };
    });
  }

  #numbered(content: OutboxContent, { epoch, ofEarlierToken }: Pulled): OutboxContent {
    const sameStore = content.device.epoch === null || content.device.epoch === epoch;
    if (!sameStore) return renumbered(content, this.#ids.uuid());
    return ofEarlierToken ? underNewClient(content, this.#ids.uuid()) : content;
  }

  /** Makes pending work carried, so that another device may push it, too: nobody acknowledges its answers, and they stay. */
  async handOver(): Promise<void> {
    await this.#rewrite((content) =>
      content.pending.length > 0 ? underNewClient(content, this.#ids.uuid()) : content,
    );
  }

  /** Runs in one of the tabs that open at once. */
  #numberAfterLoss(): Promise<void> {
    return this.#rewrite((content) =>
      content.device.is_put_back ? underNewClient(content, this.#ids.uuid()) : content,
    );
  }

  /** Makes room in a storage that is nearly full. */
  forgetReceipts(): Promise<void> {
    return this.#rewrite((content) => ({ ...content, receipts: [] }));
  }

  /** Whether work with this mark was imported or exported here before: it is not taken in again. */
  wasMoved(mark: string): boolean {
    return this.#table.get(movedRowId(mark)) !== undefined;
  }

  /** Remembers exported work, so that it is not imported here. */
  rememberMoved(marks: string[]): Promise<void> {
    return this.#exclusive(async () => {
      await this.identity.fresh();
      await this.#table.write(this.#movedRows(marks));
    });
  }

  /** Takes in another device's work, all of it or nothing; answers how much of it was new. */
  async import({ account_id, works }: Imported): Promise<number> {
    let fresh: Work[] = [];
    const taken = (content: OutboxContent) => {
      requireAccount(content.device, account_id);
      fresh = works.filter(({ mark }) => !this.wasMoved(mark));
      return withImported(content, { account_id, works: fresh }, this.#ids.uuid());
    };
    const more = () => this.#movedRows(fresh.map(({ mark }) => mark));
    await this.#rewrite(taken, { refresh: () => this.#table.refreshAll(), more });
    return fresh.length;
  }

  #movedRows(marks: string[]): Row<OutboxBody>[] {
    const fresh = marks.filter((mark) => !this.wasMoved(mark));
    return fresh.map((mark) => ({ id: movedRowId(mark), body: { kind: 'moved', at: this.#now() } }));
  }

  readonly #appended: Appending = (device, mutations) => {
    const { client_id, last_seq } = device;
    const recorded_at = this.#now();
    const bodies = mutations.map(({ name, args }, index) =>
      newBody({ client_id, seq: last_seq + 1 + index, name, args, recorded_at }),
    );
    return { device: { ...device, last_seq: last_seq + bodies.length }, bodies };
  };

  /** Writes the changes that `decide` makes, and `more`, in one transaction. */
  #rewrite(
    decide: (content: OutboxContent) => OutboxContent,
    { refresh, more = () => [] }: { refresh?: () => Promise<unknown>; more?: () => Row<OutboxBody>[] } = {},
  ): Promise<void> {
    return this.#exclusive(async () => {
      await this.identity.fresh();
      await refresh?.();
      // Numbering must know what other tabs made and numbered, even before word of it comes.
      const { client_id, last_seq } = decide(this.#content()).device;
      const isNumbering = client_id !== this.device.client_id || last_seq !== this.device.last_seq;
      if (isNumbering) await this.#table.refreshAll();
      const before = this.#content();
      const { rows, removedIds } = rewriting(before, decide(before));
      await this.#table.write([...rows, ...more()], removedIds);
    });
  }

  #content(): OutboxContent {
    return {
      device: this.device,
      pending: this.mutations('pending'),
      refused: this.mutations('refused'),
      receipts: this.mutations('receipt'),
      discarded: this.mutations('discarded'),
      carried: this.mutations('carried'),
    };
  }

  #exclusive<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.identity.exclusive(work);
  }
}
