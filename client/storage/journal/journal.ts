/**
 * Keeps the journal of a device, a second copy of unsent work. Each write goes to the database and to the journal at
 * the same time. A verb resolves when both have stored the write; while the journal is behind, the database suffices. If
 * the database refuses a write, the journal undoes that write.
 *
 *   none    the device has no journal, for example because the browser has no private file system
 *   kept ─► behind    the journal failed to store a write in time; verbs go on with the database alone
 *        ◄──          the next write to the database starts to bring the journal up to date
 *
 * A database that has lost its device row, or that is older than the journal (lineage.ts), is restored from the
 * journal.
 */
import { BehaviorSubject } from 'rxjs';
import { assert } from '../../../shared/domain/assert.ts';
import type { Clock } from '../../core/clock.ts';
import { GembaError } from '../../core/errors.ts';
import { migrateBody, type Migration, type TableName } from '../migration/migrations.ts';
import { deviceRowId, type TapBody, type OutboxBody, type Row } from '../rows.ts';
import type { TableJournal } from './table-journal.ts';
import { findRowsToAdd, toJournalChanges, changesBetween, journalRowsOf } from './changes.ts';
import { readDatabaseRows, type JournaledTables } from './journaled-tables.ts';
import { deviceRowKey, tableOfKey, versionKey } from './keys.ts';
import type { JournalRows, JournalWrite, Mirror } from './mirror.ts';
import { recoverDatabase } from './recover-database.ts';
import { TombstoneWriter } from './tombstone-writer.ts';

export type JournalState = 'kept' | 'behind' | 'none';

interface JournalOptions extends JournaledTables {
  mirror: Mirror | undefined;
  schedule: Clock['schedule'];
  /** Migrates the journal rows of an older version of the app. The version is the number of migrations. */
  migrations: readonly Migration[];
}

/** A tap, or each step of the opening of the engine, waits at most this long for the journal's storage. */
export const journalTimeoutMs = 5_000;

/**
 * The journal trusts a successful test for free space this long, since a test delays the start of a recording by 2 ms.
 */
export const spaceTestValidMs = 60_000;

export class Journal {
  readonly state$ = new BehaviorSubject<JournalState>('none');
  readonly #tables: JournaledTables;
  readonly #storage: Mirror;
  readonly #schedule: Clock['schedule'];
  readonly #migrations: readonly Migration[];
  readonly #tombstones: TombstoneWriter;
  #isUpdating = false;
  /** True once the rows that the database lost are restored. Until then, the journal keeps all its rows. */
  #isRecovered = false;

  #knownFreeBytes = 0;
  #cannotTestSpace = false;
  #forgetFreeBytes: () => void = () => {};

  private constructor({ outbox, drafts, mirror = noMirror, schedule, migrations }: JournalOptions) {
    this.#tables = { outbox, drafts };
    this.#storage = mirror;
    this.#schedule = schedule;
    this.#migrations = migrations;
    this.#tombstones = new TombstoneWriter({
      tables: this.#tables,
      schedule,
      withTimeout: (work) => this.#withTimeout(work),
    });
  }

  /** Opens the journal, and restores the rows that the database has lost. */
  static async open(options: JournalOptions): Promise<Journal> {
    const journal = new Journal(options);
    if (!options.mirror) return journal;
    await journal.#openAndRecover();
    options.outbox.setJournal(journal.#journalOf('outbox'));
    options.drafts.setJournal(journal.#journalOf('drafts'));
    return journal;
  }

  /** Brings the journal up to date. Resolves to false if it may still have rows that the database removed. */
  async bringRemovalsUpToDate(): Promise<boolean> {
    if (this.state$.value !== 'none') await this.#bringUpToDate();
    return this.state$.value !== 'behind';
  }

  /**
   * Tests whether the journal can store this many bytes more. Also resolves to true if the test is not possible now.
   */
  async hasRoom(bytes: number): Promise<boolean> {
    if (!this.#storage.hasRoom || this.#cannotTestSpace || this.state$.value !== 'kept') return true;
    if (bytes <= this.#knownFreeBytes) return true;
    try {
      const hasRoom = await this.#withTimeout(this.#storage.hasRoom(bytes));
      if (hasRoom) this.#rememberFreeBytes(bytes);
      return hasRoom;
    } catch {
      this.#cannotTestSpace = true;
      this.#fallBehind();
      return true;
    }
  }

  #rememberFreeBytes(bytes: number): void {
    this.#forgetFreeBytes();
    this.#knownFreeBytes = bytes;
    const cancel = this.#schedule(spaceTestValidMs, () => this.#forgetFreeBytes());
    this.#forgetFreeBytes = () => {
      cancel();
      this.#knownFreeBytes = 0;
    };
  }

  close(): void {
    this.#forgetFreeBytes();
    this.#tombstones.close();
    this.#storage.giveUp();
    this.state$.complete();
  }

  async #openAndRecover(): Promise<void> {
    let existed = true;
    let recovering: Promise<JournalWrite> | undefined;
    let isLate = false;
    const recover = (journalRows: JournalRows): Promise<JournalWrite> => {
      if (isLate) return Promise.reject(new Error('the device was opened without its journal'));
      return (recovering = this.#recover(journalRows));
    };
    try {
      existed = await this.#withTimeout(this.#storage.exists());
      await this.#withTimeout(this.#storage.exchange(recover));
      this.state$.next('kept');
    } catch (error) {
      isLate = true;
      // Wait for a running recovery, since it must end before a mutation gets a sequence number. Its writes time out,
      // so it does end.
      await recovering?.catch(() => {});
      this.#fallBehind();
      if (!existed || this.#tables.outbox.get(deviceRowId)) return;
      throw new GembaError({
        code: 'storage_lost',
        detail: `The browser lost this app's database and its second copy cannot be read now: close the other tabs and try again. (${String(error)})`,
      });
    }
  }

  #journalOf(table: TableName): TableJournal<OutboxBody | TapBody> {
    return {
      write: (rows, removedIds) => this.#write(table, rows, removedIds),
      beforeWrite: () => this.#tombstones.writeMissingTombstones(),
      onWriteFailed: (rows) => this.#tombstones.add(table, rows),
    };
  }

  async #write(table: TableName, rows: Row<OutboxBody | TapBody>[], removedIds: string[]): Promise<boolean> {
    const isBehind = this.state$.value === 'behind';
    if (isBehind && !this.#isUpdating) void this.#bringUpToDate();
    const changes = toJournalChanges(table, rows, removedIds);
    const written = this.#withTimeout(this.#storage.write(changes)).catch(() => this.#fallBehind());
    if (!isBehind) await written;
    return this.state$.value !== 'behind';
  }

  async #bringUpToDate(): Promise<void> {
    this.#isUpdating = true;
    try {
      const missing = async (journalRows: JournalRows) =>
        this.#missingChanges(journalRows, await readDatabaseRows(this.#tables));
      await this.#withTimeout(this.#storage.exchange(missing));
      if (!this.#isRecovered) return;
      this.state$.next('kept');
      this.#tombstones.clear();
    } catch {
      this.#fallBehind();
    } finally {
      this.#isUpdating = false;
    }
  }

  /**
   * Stops waiting for the journal. Cancels its running writes, since a late write could undo a newer write of another
   * tab.
   */
  #fallBehind(): void {
    this.#storage.giveUp();
    this.state$.next('behind');
  }

  /** Restores the rows that the database has lost, and returns the changes that bring the journal up to date. */
  async #recover(journalRows: JournalRows): Promise<JournalWrite> {
    const databaseRows = await recoverDatabase(this.#tables, this.#migrateRows(journalRows));
    this.#isRecovered = true;
    return databaseRows
      ? this.#missingChanges(journalRows, databaseRows)
      : { changes: [[versionKey, this.#migrations.length]] };
  }

  #migrateRows(journalRows: JournalRows): JournalRows {
    const version = versionIn(journalRows);
    assert(version <= this.#migrations.length, 'the second copy is not of a later version of the app');
    const steps = this.#migrations.slice(version);
    return new Map(
      [...journalRows]
        .filter(([key]) => key !== versionKey)
        .map(([key, body]) => [key, migrateBody(tableOfKey(key), body, steps)]),
    );
  }

  /**
   * Returns the changes that bring the journal up to date. Call this inside `exchange`, which keeps other tabs from
   * writing to the journal.
   */
  #missingChanges(journalRows: JournalRows, databaseRows: ReadonlyMap<string, OutboxBody | TapBody>): JournalWrite {
    assert(databaseRows.has(deviceRowKey), 'a database without its device was lost');
    const rows = journalRowsOf(databaseRows).set(versionKey, this.#migrations.length);
    if (!this.#isRecovered) return { changes: findRowsToAdd(journalRows, rows) };
    return { changes: changesBetween(journalRows, rows), anew: hasToken(journalRows) };
  }

  #withTimeout<Result>(work: Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const cancel = this.#schedule(journalTimeoutMs, () => reject(new Error(`took over ${journalTimeoutMs} ms`)));
      work.then(resolve, reject).finally(cancel);
    });
  }
}

const versionIn = (journalRows: JournalRows): number => {
  const version = journalRows.get(versionKey);
  return typeof version === 'number' ? version : 0;
};

/** Older versions of the app stored the device token in the journal. Only a rewrite of the files removes that token. */
const hasToken = (journalRows: JournalRows): boolean => {
  const device = journalRows.get(deviceRowKey);
  return typeof device === 'object' && device !== null && 'token' in device && Boolean(device.token);
};

const noMirror: Mirror = {
  exists: () => Promise.resolve(false),
  write: () => Promise.resolve(),
  exchange: () => Promise.resolve(),
  giveUp: () => {},
};
