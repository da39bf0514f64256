/**
 * The ordered outbox: what this device did and still answers for.
 *
 *   append ─► pending ─┬─ pulled as done ───► gone, or a receipt when it is a recording
 *                      └─ pulled as refused ► refused: needs attention, replaced or discarded when a person resolved it
 *
 * Each append numbers its mutations and writes them, and the device's row with the new `last_seq`, in one transaction.
 */
import type { Observable } from 'rxjs';
import { assert } from '../../shared/domain/assert.ts';
import { GembaError } from '../errors.ts';
import type { Ids } from '../ids.ts';
import type { Locks } from '../store/locks.ts';
import { deviceRowId, type DeviceBody, type MutationBody, type OutboxBody } from '../store/rows.ts';
import type { Table, Written } from '../store/table.ts';
import type { RefusedBody } from './attention.ts';
import { deviceRow, mutationRowId, newBody, newDevice, rowOf } from './bodies.ts';
import { Held } from './held.ts';
import type { NewMutation } from './mutation.ts';
import { madeBy } from './references.ts';
import { renewed } from './renewal.ts';
import { replaced, type Appending } from './replacement.ts';
import { carriedOver, renumbered, settled, type OutboxContent, type Told } from './settlement.ts';

export interface OutboxOptions {
  table: Table<OutboxBody>;
  locks: Locks;
  ids: Ids;
  now: () => string;
}

/** Recordings stay as receipts for 30 days after the server had them. */
export const receiptMsMax = 30 * 24 * 60 * 60_000;

/** How many discarded mutations can be had back. A number, since no clock is trusted. */
export const discardedMax = 20;

export class Outbox {
  readonly #table: Table<OutboxBody>;
  readonly #locks: Locks;
  readonly #ids: Ids;
  readonly #now: () => string;
  readonly #held: Held;

  private constructor({ table, locks, ids, now }: OutboxOptions) {
    this.#table = table;
    this.#locks = locks;
    this.#ids = ids;
    this.#now = now;
    this.#held = new Held(table);
  }

  static async open(options: OutboxOptions): Promise<Outbox> {
    const outbox = new Outbox(options);
    await outbox.#exclusive(async () => {
      if (await outbox.#table.refresh(deviceRowId)) return;
      await outbox.#table.write([deviceRow(newDevice(outbox.#ids))]);
    });
    return outbox;
  }

  get device(): DeviceBody {
    const body = this.#table.get(deviceRowId);
    assert(body?.kind === 'device', 'the outbox knows its device');
    return body;
  }

  get written$(): Observable<Written<OutboxBody>> {
    return this.#table.written$;
  }

  /** The mutations in the order in which they were made. */
  mutations(state: MutationBody['state']): MutationBody[] {
    return this.#held.mutations(state);
  }

  /** The mutation of this number in the present sequence. */
  get(seq: number): MutationBody | undefined {
    return this.#held.get(mutationRowId(this.device.client_id, seq));
  }

  /** Whatever became of it: the mutation that uploads this recording. */
  uploadOf(recordingSessionId: string): MutationBody | undefined {
    return this.#held.ofSession(recordingSessionId);
  }

  /** The mutation that was to make a map, as long as it is here. */
  makerOf(mapId: string): MutationBody | undefined {
    const kept = [...this.mutations('pending'), ...this.mutations('refused'), ...this.mutations('discarded')];
    return kept.find((body) => madeBy(body).includes(`map|${mapId}`));
  }

  /** Makes mutations, all or none; resolves when they are durable. */
  append(mutations: NewMutation[]): Promise<MutationBody[]> {
    return this.#exclusive(async () => {
      const { device, bodies } = this.#appended(await this.#freshDevice(), mutations);
      await this.#table.write([deviceRow(device), ...bodies.map(rowOf)]);
      return bodies;
    });
  }

  /** Refused, and waiting for a person. */
  get refused(): RefusedBody[] {
    return this.mutations('refused').filter((body): body is RefusedBody => body.error !== null);
  }

  /** Given up by a person, the last one first. */
  get discarded(): RefusedBody[] {
    return this.mutations('discarded')
      .filter((body): body is RefusedBody => body.error !== null)
      .toSorted(lastDiscardedFirst);
  }

  /** Makes mutations in place of a refused one, and takes along what hangs on it; false when another did so already. */
  replace(refused: MutationBody, mutations: NewMutation[]): Promise<boolean> {
    return this.#rewriteOne(refused, (content, body) =>
      replaced(content, { refused: body, mutations, append: this.#appended }),
    );
  }

  /** Gives a refused mutation up; the last 20 can be had back. False when another was quicker. */
  discard(refused: MutationBody): Promise<boolean> {
    return this.#rewriteOne(refused, (content, body) => {
      const discarded = [...content.discarded, { ...body, state: 'discarded' as const, discarded_at: this.#now() }];
      return { ...without(content, body), discarded: discarded.toSorted(lastDiscardedFirst).slice(0, discardedMax) };
    });
  }

  /** It needs attention again; false when another was quicker. */
  undiscard(discarded: MutationBody): Promise<boolean> {
    return this.#rewriteOne(discarded, (content, { discarded_at: _at, ...body }) => {
      const refused = [...content.refused, { ...body, state: 'refused' as const }];
      return { ...content, refused, discarded: content.discarded.filter(({ seq }) => seq !== body.seq) };
    });
  }

  /** Unless another tab made something else of the mutation meanwhile. */
  async #rewriteOne(
    { seq, client_id, state }: MutationBody,
    decide: (content: OutboxContent, body: MutationBody) => OutboxContent,
  ): Promise<boolean> {
    const id = mutationRowId(client_id, seq);
    let found = false;
    await this.#rewrite((content) => {
      const body = this.#held.get(id);
      found = body?.state === state;
      return found ? decide(content, body!) : content;
    }, id);
    return found;
  }

  /**
   * Takes in what other tabs made when word of it has not come yet: of all numbers from the settled ones to the last
   * given, this tab knows the mutations then. Without it one's own would be pushed before an earlier one of another tab.
   */
  async catchUp(settledSeqNow: () => number): Promise<void> {
    const { client_id, last_seq } = await this.#freshDevice();
    const settledSeq = settledSeqNow();
    const unsettled = this.mutations('pending').filter((body) => body.client_id === client_id && body.seq > settledSeq);
    if (unsettled.length < last_seq - settledSeq) await this.#table.refreshAll();
  }

  /**
   * Takes in what the pull told of this device's mutations. When the server's store is another one since a restore, all
   * that is held is then numbered anew, to be offered again; idempotency makes that safe.
   */
  async settle(told: Told): Promise<void> {
    await this.#rewrite((content) => {
      const after = settled(content, told, this.#now());
      const { stands = () => false } = told;
      const current = this.#numbered(renewed(after, { ids: this.#ids, append: this.#appended, stands }), told);
      return { ...current, device: { ...current.device, epoch: told.epoch } };
    });
  }

  #numbered(content: OutboxContent, { epoch, carried }: Told): OutboxContent {
    const sameStore = content.device.epoch === null || content.device.epoch === epoch;
    if (!sameStore) return renumbered(content, this.#ids.uuid());
    return carried ? carriedOver(content, this.#ids.uuid()) : content;
  }

  /** The server misses mutations that it had: everything that is held is numbered anew and offered again. */
  async offerAgain(): Promise<void> {
    await this.#rewrite((content) => renumbered(content, this.#ids.uuid()));
  }

  /** Forgets old receipts; a clock that jumped ahead makes none old, since the newest receipt did not jump along. */
  async pruneReceipts(keptMsMax = receiptMsMax): Promise<void> {
    await this.#rewrite((content) => {
      const times = content.receipts.map(({ acknowledged_at }) => Date.parse(acknowledged_at ?? this.#now()));
      const before = Math.min(Date.parse(this.#now()), Math.max(...times)) - keptMsMax;
      return { ...content, receipts: content.receipts.filter((_receipt, index) => times[index]! >= before) };
    });
  }

  /** Refused when it is another account's than what this device holds; nothing is changed then. */
  rememberPairing(pairing: { token: string; account_id: string }): Promise<void> {
    return this.#remember((device) => {
      if ((device.account_id ?? pairing.account_id) !== pairing.account_id) throw anotherAccount();
      return pairing;
    });
  }

  /** For good: what the device holds never goes to another account. */
  rememberAccount(account_id: string): Promise<void> {
    return this.#remember((device) => ({ account_id: device.account_id ?? account_id }));
  }

  #remember(known: (device: DeviceBody) => Partial<DeviceBody>): Promise<void> {
    return this.#exclusive(async () => {
      const device = await this.#freshDevice();
      await this.#table.write([deviceRow({ ...device, ...known(device) })]);
    });
  }

  readonly #appended: Appending = (device, mutations) => {
    const { client_id, last_seq } = device;
    const recorded_at = this.#now();
    const bodies = mutations.map(({ name, args }, index) =>
      newBody({ client_id, seq: last_seq + 1 + index, name, args, recorded_at }),
    );
    return { device: { ...device, last_seq: last_seq + bodies.length }, bodies };
  };

  /** Writes what `decide` changes of everything that is held, in one transaction. */
  #rewrite(decide: (content: OutboxContent) => OutboxContent, freshRowId?: string): Promise<void> {
    return this.#exclusive(async () => {
      await this.#freshDevice();
      if (freshRowId !== undefined) await this.#table.refresh(freshRowId);
      // Numbering anew must miss nothing that another tab made, when word of it has not come yet.
      if (decide(this.#content()).device.client_id !== this.device.client_id) await this.#table.refreshAll();
      const before = this.#content();
      const after = decide(before);
      const rowsBefore = new Map(mutationsOf(before).map((body) => [rowOf(body).id, body]));
      const rows = mutationsOf(after).map(rowOf);
      const kept = new Set(rows.map(({ id }) => id));
      await this.#table.write(
        [
          ...(sameDevice(before.device, after.device) ? [] : [deviceRow(after.device)]),
          ...rows.filter(({ id, body }) => rowsBefore.get(id) !== body),
        ],
        [...rowsBefore.keys()].filter((id) => !kept.has(id)),
      );
    });
  }

  #content(): OutboxContent {
    return {
      device: this.device,
      pending: this.mutations('pending'),
      refused: this.mutations('refused'),
      receipts: this.mutations('receipt'),
      discarded: this.mutations('discarded'),
    };
  }

  #exclusive<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#locks.exclusive('outbox', work);
  }

  async #freshDevice(): Promise<DeviceBody> {
    await this.#table.refresh(deviceRowId);
    return this.device;
  }
}

const mutationsOf = ({ pending, refused, receipts, discarded }: OutboxContent): MutationBody[] => [
  ...pending,
  ...refused,
  ...receipts,
  ...discarded,
];

const lastDiscardedFirst = (a: MutationBody, b: MutationBody): number =>
  Date.parse(b.discarded_at ?? '') - Date.parse(a.discarded_at ?? '') || b.seq - a.seq;

const without = (content: OutboxContent, gone: MutationBody): OutboxContent => ({
  ...content,
  refused: content.refused.filter((body) => body !== gone),
});

function sameDevice(a: DeviceBody, b: DeviceBody): boolean {
  return a.client_id === b.client_id && a.last_seq === b.last_seq && a.epoch === b.epoch;
}

function anotherAccount(): GembaError {
  const detail =
    'This device holds the work of another account. Nothing was changed: pair it with its own account, or open the other one under another name.';
  return new GembaError({ code: 'account_mismatch', detail });
}
