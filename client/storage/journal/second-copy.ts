/**
 * Keeps the mirror of a device: writes go to the database and to the mirror at the same time, and a tap is acknowledged
 * when both have it. What the database refused is taken out of the mirror again.
 *
 *   none    the browser has no place for a mirror
 *   kept ─► behind    a write failed or took too long: taps stand, since the database has them
 *        ◄──          the next write brings everything up to date, beside the taps
 *
 * A database without its device row was lost, and one may have gone back to an earlier state (lineage.ts): neither overwrites
 * the mirror.
 */
import { BehaviorSubject } from 'rxjs';
import { assert } from '../../../shared/domain/assert.ts';
import type { Clock } from '../../core/clock.ts';
import { GembaError } from '../../core/errors.ts';
import { migrated, type Migration, type TableName } from '../migrations.ts';
import { deviceRowId, type DeviceBody, type DraftBody, type OutboxBody, type Row } from '../rows.ts';
import type { Copying, Table } from '../table.ts';
import { deviceKey, idOf, keyOf, refusedIdOf, refusedKeyOf, tableOf, versionKey } from './keys.ts';
import type { Mirror, MirrorChange, MirrorRows, MirrorWrite } from './journal.ts';
import { recoveryOf, type Recovery } from './recovery.ts';

export type SecondCopyState = 'kept' | 'behind' | 'none';

interface SecondCopyOptions {
  outbox: Table<OutboxBody>;
  drafts: Table<DraftBody>;
  mirror: Mirror | undefined;
  schedule: Clock['schedule'];
  /** Their count is the version of the rows, which is mirrored, too. */
  migrations: readonly Migration[];
}

/** The longest that a tap waits for the mirror. */
export const mirrorMsMax = 5_000;
/** The pause before a tombstone that the database refused is tried again. */
export const tombstoneRetryMs = 15_000;

export class SecondCopy {
  readonly state$ = new BehaviorSubject<SecondCopyState>('none');
  readonly #tables: { outbox: Table<OutboxBody>; drafts: Table<DraftBody> };
  readonly #mirror: Mirror;
  readonly #schedule: Clock['schedule'];
  readonly #migrations: readonly Migration[];
  #catchingUp = false;
  /** Ids of tombstones that the database has not taken yet. */
  readonly #unburied: Record<TableName, Set<string>> = { outbox: new Set(), drafts: new Set() };
  #cancelRetry: () => void = () => {};
  #isClosed = false;
  /** The database has all that it lost; before that, nothing is taken out of the mirror. */
  #isMended = false;

  private constructor({ outbox, drafts, mirror = noMirror, schedule, migrations }: SecondCopyOptions) {
    this.#migrations = migrations;
    this.#tables = { outbox, drafts };
    this.#mirror = mirror;
    this.#schedule = schedule;
  }

  /** Puts back what the database lost before anything else is done with it. */
  static async open(options: SecondCopyOptions): Promise<SecondCopy> {
    const copy = new SecondCopy(options);
    if (!options.mirror) return copy;
    await copy.#begin();
    options.outbox.copyTo(copy.#copyingOf('outbox'));
    options.drafts.copyTo(copy.#copyingOf('drafts'));
    return copy;
  }

  /** Whether the mirror has all removals: before that, the database must keep its tombstones. */
  async isWhole(): Promise<boolean> {
    if (this.state$.value !== 'none') await this.#catchUp();
    return this.state$.value !== 'behind';
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelRetry();
    this.#mirror.giveUp();
    this.state$.complete();
  }

  async #begin(): Promise<void> {
    let existed = true;
    try {
      existed = await this.#within(this.#mirror.exists());
      await this.#within(this.#mirror.exchange((held) => this.#mended(held)));
      this.state$.next('kept');
    } catch (error) {
      this.#fallBehind();
      if (!existed || this.#tables.outbox.get(deviceRowId)) return;
      throw new GembaError({
        code: 'storage_lost',
        detail: `The browser lost this app's database and its second copy cannot be read now: close the other tabs and try again. (${String(error)})`,
      });
    }
  }

  #copyingOf(table: TableName): Copying<OutboxBody | DraftBody> {
    return {
      copy: (rows, removedIds) => this.#copy(table, rows, removedIds),
      settle: () => (this.#isSettled ? undefined : this.#bury()),
      refused: (rows) => this.#refused(table, rows),
    };
  }

  async #copy(table: TableName, rows: Row<OutboxBody | DraftBody>[], removedIds: string[]): Promise<boolean> {
    const changes: MirrorChange[] = [
      ...rows.map(({ id, body }) => [keyOf(table, id), isMirrored(body) ? mirroredOf(body) : null] as const),
      ...removedIds.map((id) => [keyOf(table, id), null] as const),
    ];
    const isBehind = this.state$.value === 'behind';
    if (isBehind && !this.#catchingUp) void this.#catchUp();
    const written = this.#within(this.#mirror.write(changes)).catch(() => this.#fallBehind());
    if (!isBehind) await written;
    return this.state$.value !== 'behind';
  }

  /** Buries rows that the database refused, except those that stand, under this or another number. */
  #refused(table: TableName, rows: Row<OutboxBody | DraftBody>[]): Promise<void> {
    const standing = new Set([...this.#tables[table].entries()].map(([id, body]) => refusedIdOf({ id, body })));
    for (const id of rows.map(refusedIdOf)) if (!standing.has(id)) this.#unburied[table].add(id);
    return this.#bury();
  }

  /** Writes tombstones for refused rows, which count until the mirror has caught up; tries again where they fail, too. */
  async #bury(): Promise<void> {
    this.#cancelRetry();
    try {
      for (const [table, ids] of Object.entries(this.#unburied) as [TableName, Set<string>][]) {
        const buried = [...ids];
        await this.#within(this.#tables[table].bury(buried));
        for (const id of buried) ids.delete(id);
      }
    } catch {
      if (!this.#isClosed) this.#cancelRetry = this.#schedule(tombstoneRetryMs, () => void this.#bury());
    }
  }

  get #isSettled(): boolean {
    return Object.values(this.#unburied).every(({ size }) => size === 0);
  }

  async #catchUp(): Promise<void> {
    this.#catchingUp = true;
    try {
      await this.#within(this.#mirror.exchange(async (held) => this.#missing(held, await this.#standing())));
      if (!this.#isMended) return;
      this.state$.next('kept');
      for (const ids of Object.values(this.#unburied)) ids.clear();
    } catch {
      this.#fallBehind();
    } finally {
      this.#catchingUp = false;
    }
  }

  /** Gives up all writes under way, since a late one could undo a newer one of another tab. */
  #fallBehind(): void {
    this.#mirror.giveUp();
    this.state$.next('behind');
  }

  /** Puts back what the database lost, and answers what the mirror lacks. */
  async #mended(held: MirrorRows): Promise<MirrorWrite> {
    const standing = await this.#standing();
    const rows = this.#migrated(held);
    if (!standing.has(deviceKey) && !rows.has(deviceKey)) {
      this.#isMended = true;
      return { changes: [[versionKey, this.#migrations.length]] };
    }
    const recovery = recoveryOf({ held: rows, standing, removed: await this.#removedHere(rows, standing) });
    await this.#recover(recovery);
    this.#isMended = true;
    const isNothing = !recovery.device && recovery.put.size === 0;
    return this.#missing(held, isNothing ? standing : await this.#standing());
  }

  /** Finds rows that were removed while the mirror was behind: a recording that ended must not be under way again. */
  async #removedHere(rows: MirrorRows, standing: MirrorRows): Promise<Set<string>> {
    const mirroredText = (body?: unknown) => JSON.stringify(body && mirroredOf(body as OutboxBody | DraftBody));
    const differing = [...rows].filter(([key, body]) => mirroredText(standing.get(key)) !== mirroredText(body));
    const keys = differing.flatMap(([key, body]) =>
      tableOf(key) === 'drafts' && !standing.has(key) ? [key, refusedKeyOf(key, body)] : [refusedKeyOf(key, body)],
    );
    const removed = await Promise.all(
      (['outbox', 'drafts'] as const).map(async (name) => {
        const ids = keys.filter((key) => tableOf(key) === name).map(idOf);
        const found = ids.length === 0 ? [] : await this.#tables[name].removedOf(ids);
        return [...found].map((id) => keyOf(name, id));
      }),
    );
    return new Set(removed.flat());
  }

  async #recover({ put, removedKeys, device }: Recovery): Promise<void> {
    const rowsOf = (name: TableName) =>
      [...put].filter(([key]) => tableOf(key) === name).map(([key, body]) => ({ id: idOf(key), body: body as never }));
    const removedOf = (name: TableName) => removedKeys.filter((key) => tableOf(key) === name).map(idOf);
    for (const name of ['drafts', 'outbox'] as const) await this.#tables[name].write(rowsOf(name), removedOf(name));
    if (device) await this.#tables.outbox.write([{ id: deviceRowId, body: device }]);
  }

  #migrated(held: MirrorRows): MirrorRows {
    const version = (held.get(versionKey) as number | undefined) ?? 0;
    assert(version <= this.#migrations.length, 'the second copy is not of a later version of the app');
    const steps = this.#migrations.slice(version);
    return new Map(
      [...held].filter(([key]) => key !== versionKey).map(([key, body]) => [key, migrated(tableOf(key), body, steps)]),
    );
  }

  /** Answers what the mirror lacks; inside an exchange, no other tab's write comes between the read and the answer. */
  #missing(held: MirrorRows, standing: MirrorRows): MirrorWrite {
    assert(standing.has(deviceKey), 'a database without its device was lost');
    const rows = new Map<string, unknown>([[versionKey, this.#migrations.length]]);
    for (const [key, body] of standing as Map<string, OutboxBody | DraftBody>) {
      if (isMirrored(body)) rows.set(key, mirroredOf(body));
    }
    if (!this.#isMended) return { changes: additions(held, rows) };
    // An earlier app version mirrored the token, and the log keeps it until it is written anew.
    const heldDevice = held.get(deviceKey) as DeviceBody | undefined;
    return { changes: differences(held, rows), anew: Boolean(heldDevice?.token) };
  }

  /** The database's rows, as the storage has them now. */
  async #standing(): Promise<MirrorRows> {
    const { outbox: outboxTable, drafts: draftsTable } = this.#tables;
    const [outbox, drafts] = await Promise.all([outboxTable.readAll(), draftsTable.readAll()]);
    const keyed = (table: TableName, rows: [id: string, body: unknown][]) =>
      rows.map(([id, body]) => [keyOf(table, id), body] as const);
    return new Map([...keyed('outbox', outbox), ...keyed('drafts', drafts)]);
  }

  #within<Result>(work: Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const cancel = this.#schedule(mirrorMsMax, () => reject(new Error(`took over ${mirrorMsMax} ms`)));
      work.then(resolve, reject).finally(cancel);
    });
  }
}

const noMirror: Mirror = {
  exists: () => Promise.resolve(false),
  write: () => Promise.resolve(),
  exchange: () => Promise.resolve(),
  giveUp: () => {},
};

/** Receipts are not mirrored, since the server has their content. */
const isMirrored = (body: OutboxBody | DraftBody): boolean => !(body.kind === 'mutation' && body.state === 'receipt');

/** The token is left out, since it opens the account to anyone who reads the files; a device without one is paired again. */
const mirroredOf = <Body extends OutboxBody | DraftBody>(body: Body): Body =>
  body.kind === 'device' ? { ...body, token: null } : body;

/** Leaves the device row out, since it may be an earlier one. */
const additions = (held: MirrorRows, wanted: MirrorRows): MirrorChange[] =>
  [...wanted].filter(([key]) => !held.has(key) && key !== deviceKey);

function differences(held: MirrorRows, wanted: MirrorRows): MirrorChange[] {
  const changes: MirrorChange[] = [];
  for (const [key, body] of wanted) {
    if (JSON.stringify(held.get(key)) !== JSON.stringify(body)) changes.push([key, body]);
  }
  for (const key of held.keys()) if (!wanted.has(key)) changes.push([key, null]);
  return changes;
}
