/**
 * Keeps the journal of a device, a second copy of unsent work: writes go to the database and to the journal at the same time,
 * and a tap is acknowledged when both have it. A write that the database refuses is removed from the journal.
 *
 *   none    the browser has no place for a journal
 *   kept ─► behind    a write failed or took too long: taps are still accepted, since the database has them
 *        ◄──          the next write brings the journal up to date, while taps go on
 *
 * A database may have lost its device row, or gone back to an earlier state (lineage.ts). Neither database overwrites the
 * journal.
 */
import { BehaviorSubject } from 'rxjs';
import { assert } from '../../../shared/domain/assert.ts';
import type { Clock } from '../../core/clock.ts';
import { GembaError } from '../../core/errors.ts';
import { migrated, type Migration, type TableName } from '../migrations.ts';
import { deviceRowId, type DraftBody, type OutboxBody, type Row } from '../rows.ts';
import type { TableJournal } from '../table.ts';
import { additions, changesOf, differences, journaledRows } from './changes.ts';
import { standingRows, type JournaledTables } from './journaled-tables.ts';
import { deviceKey, tableOf, versionKey } from './keys.ts';
import type { JournalRows, JournalWrite, Mirror } from './mirror.ts';
import { recoverDatabase } from './recover-database.ts';
import { Refusals } from './refusals.ts';

export type JournalState = 'kept' | 'behind' | 'none';

interface JournalOptions extends JournaledTables {
  mirror: Mirror | undefined;
  schedule: Clock['schedule'];
  /** The number of migrations is the version of the rows, which the journal stores, too. */
  migrations: readonly Migration[];
}

/** How long a tap, or the opening, waits for the journal's files. */
export const journalMsMax = 5_000;

export class Journal {
  readonly state$ = new BehaviorSubject<JournalState>('none');
  readonly #tables: JournaledTables;
  readonly #mirror: Mirror;
  readonly #schedule: Clock['schedule'];
  readonly #migrations: readonly Migration[];
  readonly #refusals: Refusals;
  #isCatchingUp = false;
  /** True once the database has its lost rows back. Until then, nothing is removed from the journal. */
  #isRecovered = false;

  private constructor({ outbox, drafts, mirror = noMirror, schedule, migrations }: JournalOptions) {
    this.#tables = { outbox, drafts };
    this.#mirror = mirror;
    this.#schedule = schedule;
    this.#migrations = migrations;
    this.#refusals = new Refusals({ tables: this.#tables, schedule, within: (work) => this.#within(work) });
  }

  /** Opens the journal, and first of all restores the rows that the database lost. */
  static async open(options: JournalOptions): Promise<Journal> {
    const journal = new Journal(options);
    if (!options.mirror) return journal;
    await journal.#begin();
    options.outbox.setJournal(journal.#journalOf('outbox'));
    options.drafts.setJournal(journal.#journalOf('drafts'));
    return journal;
  }

  /** Tells whether the journal has all removals. Until then the database must keep its tombstones. */
  async isWhole(): Promise<boolean> {
    if (this.state$.value !== 'none') await this.#catchUp();
    return this.state$.value !== 'behind';
  }

  close(): void {
    this.#refusals.close();
    this.#mirror.giveUp();
    this.state$.complete();
  }

  async #begin(): Promise<void> {
    let existed = true;
    let recovering: Promise<JournalWrite> | undefined;
    let isLate = false;
    const recover = (held: JournalRows): Promise<JournalWrite> => {
      if (isLate) return Promise.reject(new Error('the device was opened without its journal'));
      return (recovering = this.#recover(held));
    };
    try {
      existed = await this.#within(this.#mirror.exists());
      await this.#within(this.#mirror.exchange(recover));
      this.state$.next('kept');
    } catch (error) {
      isLate = true;
      // Wait for a recovery under way before the first new number is used; each of its writes has a deadline.
      await recovering?.catch(() => {});
      this.#fallBehind();
      if (!existed || this.#tables.outbox.get(deviceRowId)) return;
      throw new GembaError({
        code: 'storage_lost',
        detail: `The browser lost this app's database and its second copy cannot be read now: close the other tabs and try again. (${String(error)})`,
      });
    }
  }

  #journalOf(table: TableName): TableJournal<OutboxBody | DraftBody> {
    return {
      write: (rows, removedIds) => this.#write(table, rows, removedIds),
      settle: () => this.#refusals.settle(),
      refused: (rows) => this.#refusals.add(table, rows),
    };
  }

  async #write(table: TableName, rows: Row<OutboxBody | DraftBody>[], removedIds: string[]): Promise<boolean> {
    const isBehind = this.state$.value === 'behind';
    if (isBehind && !this.#isCatchingUp) void this.#catchUp();
    const changes = changesOf(table, rows, removedIds);
    const written = this.#within(this.#mirror.write(changes)).catch(() => this.#fallBehind());
    if (!isBehind) await written;
    return this.state$.value !== 'behind';
  }

  async #catchUp(): Promise<void> {
    this.#isCatchingUp = true;
    try {
      const missing = async (held: JournalRows) => this.#missing(held, await standingRows(this.#tables));
      await this.#within(this.#mirror.exchange(missing));
      if (!this.#isRecovered) return;
      this.state$.next('kept');
      this.#refusals.clear();
    } catch {
      this.#fallBehind();
    } finally {
      this.#isCatchingUp = false;
    }
  }

  /** Gives up all writes under way, since a late write could undo a newer one from another tab. */
  #fallBehind(): void {
    this.#mirror.giveUp();
    this.state$.next('behind');
  }

  /** Restores the rows that the database lost, and returns the changes that the journal needs. */
  async #recover(held: JournalRows): Promise<JournalWrite> {
    const standing = await recoverDatabase(this.#tables, this.#migrated(held));
    this.#isRecovered = true;
    return standing ? this.#missing(held, standing) : { changes: [[versionKey, this.#migrations.length]] };
  }

  #migrated(held: JournalRows): JournalRows {
    const version = versionIn(held);
    assert(version <= this.#migrations.length, 'the second copy is not of a later version of the app');
    const steps = this.#migrations.slice(version);
    return new Map(
      [...held].filter(([key]) => key !== versionKey).map(([key, body]) => [key, migrated(tableOf(key), body, steps)]),
    );
  }

  /**
   * Returns the changes that the journal needs. No other tab writes between reading and writing, thanks to `exchange`.
   */
  #missing(held: JournalRows, standing: ReadonlyMap<string, OutboxBody | DraftBody>): JournalWrite {
    assert(standing.has(deviceKey), 'a database without its device was lost');
    const rows = journaledRows(standing).set(versionKey, this.#migrations.length);
    if (!this.#isRecovered) return { changes: additions(held, rows) };
    return { changes: differences(held, rows), anew: hasToken(held) };
  }

  #within<Result>(work: Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const cancel = this.#schedule(journalMsMax, () => reject(new Error(`took over ${journalMsMax} ms`)));
      work.then(resolve, reject).finally(cancel);
    });
  }
}

const versionIn = (held: JournalRows): number => {
  const version = held.get(versionKey);
  return typeof version === 'number' ? version : 0;
};

/** An earlier version of the app stored the token in the journal, where it stays until the log is rewritten. */
const hasToken = (held: JournalRows): boolean => {
  const device = held.get(deviceKey);
  return typeof device === 'object' && device !== null && 'token' in device && Boolean(device.token);
};

const noMirror: Mirror = {
  exists: () => Promise.resolve(false),
  write: () => Promise.resolve(),
  exchange: () => Promise.resolve(),
  giveUp: () => {},
};
