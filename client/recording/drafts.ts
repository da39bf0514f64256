/**
 * Stores the drafts as one row for each tap, so that the 1,000th tap costs as little as the first. A tap is in memory
 * as soon as it is on the disk, whichever tab wrote it.
 */
import { canonicalJson } from '../../shared/protocol/canonical-json.ts';
import { GembaError } from '../core/errors.ts';
import type { TapBody, StartedTap, LaterTap } from '../storage/rows.ts';
import type { WrittenRows } from '../storage/row-cache.ts';
import { WriteConflict, type Table } from '../storage/table.ts';
import { startDraft, applyTap, type Draft } from './draft.ts';

interface StoredDraft {
  draft: Draft;
  /** The number of the draft's rows, which is also the index of the next row. */
  rowCount: number;
}

export class Drafts {
  readonly #table: Table<TapBody>;
  /** The drafts by recording session. */
  #stored = new Map<string, StoredDraft>();

  constructor(table: Table<TapBody>) {
    this.#table = table;
    this.#readAll();
    table.onWrite('index', (written) => this.#applyWritten(written));
  }

  all(): Draft[] {
    return [...this.#stored.values()].map(({ draft }) => draft);
  }

  get(session: string): Draft | undefined {
    return this.#stored.get(session)?.draft;
  }

  /** Reads all rows, since an event of another tab may not have arrived yet. */
  async refresh(): Promise<void> {
    await this.#table.refreshAll();
  }

  async start(started: StartedTap): Promise<void> {
    await this.#table.write([{ id: tapRowId(started.recording_session_id, 0), body: started }]);
  }

  /** Writes a draft that another device began, in one transaction. */
  async startFromTaps(session: string, taps: TapBody[]): Promise<void> {
    await this.#table.write(taps.map((body, index) => ({ id: tapRowId(session, index), body })));
  }

  /**
   * Appends later taps that another device made to its draft; false if there are none, or the draft has other taps
   * here.
   */
  async appendMissingTaps(session: string, taps: TapBody[]): Promise<boolean> {
    const own = this.tapsOf(session);
    const goesOn =
      taps.length > own.length && own.every((tap, index) => canonicalJson(tap) === canonicalJson(taps[index]));
    if (!goesOn) return false;
    const added = taps.slice(own.length);
    await this.#table.write(added.map((body, index) => ({ id: tapRowId(session, own.length + index), body })));
    return true;
  }

  /** Returns the taps of a draft as they are on the disk. */
  tapsOf(session: string): TapBody[] {
    const rows = this.#stored.get(session)?.rowCount ?? 0;
    return Array.from({ length: rows }, (_, index) => this.#table.get(tapRowId(session, index)) ?? []).flat();
  }

  /**
   * Writes a tap, durably when it resolves. If a tap of another tab was written first, `check` runs again on the
   * changed draft: it throws if the recording no longer accepts the tap.
   */
  async append(session: string, tap: LaterTap, check: (draft: Draft) => void): Promise<void> {
    for (let conflicts = 0; conflicts < conflictsMax; conflicts++) {
      const stored = this.#stored.get(session);
      if (!stored) throw recordingEnded();
      check(stored.draft);
      try {
        await this.#table.write([{ id: tapRowId(session, stored.rowCount), body: tap }]);
        return;
      } catch (error) {
        if (!(error instanceof WriteConflict)) throw error;
      }
    }
    throw new Error(`other tabs kept writing the recording ${session}`);
  }

  /** Tells whether the storage still has the draft; another tab may have removed it. */
  async isStored(session: string): Promise<boolean> {
    return (await this.#table.refresh(tapRowId(session, 0))) !== undefined;
  }

  async remove(session: string): Promise<void> {
    const rows = this.#stored.get(session)?.rowCount ?? 0;
    await this.#table.write(
      [],
      Array.from({ length: rows }, (_, index) => tapRowId(session, index)),
    );
  }

  #applyWritten(written: WrittenRows<TapBody>): void {
    const inOrder = written.every(({ id, body }) => body && this.#addRow(id, body));
    if (!inOrder) this.#readAll();
  }

  #readAll(): void {
    this.#stored = new Map();
    const rows = [...this.#table.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1));
    for (const [id, body] of rows) this.#addRow(id, body);
  }

  /** Adds a row to its draft; false if the row is not the draft's next one. */
  #addRow(id: string, body: TapBody): boolean {
    const { session, index } = parseTapRowId(id);
    const stored = this.#stored.get(session);
    if (index !== (stored?.rowCount ?? 0)) return false;
    if (body.kind === 'started') {
      if (stored) return false;
      this.#stored.set(session, { draft: startDraft(body), rowCount: 1 });
    } else {
      if (!stored) return false;
      this.#stored.set(session, { draft: applyTap(stored.draft, body), rowCount: index + 1 });
    }
    return true;
  }
}

export function recordingEnded(): GembaError {
  return new GembaError({ code: 'recording_ended', detail: 'The recording was finished or discarded already.' });
}

const conflictsMax = 1_000;
const tapDigits = 6;

const tapRowId = (session: string, index: number): string => `${session}|${String(index).padStart(tapDigits, '0')}`;

function parseTapRowId(rowId: string): { session: string; index: number } {
  const bar = rowId.lastIndexOf('|');
  return { session: rowId.slice(0, bar), index: Number(rowId.slice(bar + 1)) };
}
