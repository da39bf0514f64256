/**
 * Stores drafts, one row for each tap, so that the cost of a tap does not grow with the recording. Writes of other tabs
 * also update the drafts in memory.
 */
import { canonicalJson } from '../../shared/protocol/canonical-json.ts';
import { GembaError } from '../core/errors.ts';
import type { FinishedTap, TapBody, StartedTap, TapAfterStart } from '../storage/rows.ts';
import type { WrittenRows } from '../storage/row-cache.ts';
import { WriteConflict, type Table } from '../storage/table.ts';
import { startDraft, applyTap, findTapRefusal, type Draft } from './draft.ts';

interface StoredDraft {
  draft: Draft;
  /** The number of stored rows, which is the index of the next row. */
  rowCount: number;
}

export class Drafts {
  readonly #table: Table<TapBody>;
  /** The drafts by recording session. */
  #stored = new Map<string, StoredDraft>();

  constructor(table: Table<TapBody>) {
    this.#table = table;
    this.#rebuildAll();
    table.onWrite('index', (written) => this.#applyWrites(written));
  }

  all(): Draft[] {
    return [...this.#stored.values()].map(({ draft }) => draft);
  }

  get(session: string): Draft | undefined {
    return this.#stored.get(session)?.draft;
  }

  /** Reads all rows from the storage, since the notification of another tab's write may be late. */
  async refresh(): Promise<void> {
    await this.#table.refreshAll();
  }

  async start(started: StartedTap): Promise<void> {
    await this.#table.write([{ id: tapRowId(started.recording_session_id, 0), body: started }]);
  }

  /** Stores a draft from another device, with all taps in one transaction. */
  async startFromTaps(session: string, taps: TapBody[]): Promise<void> {
    await this.#table.write(taps.map((body, index) => ({ id: tapRowId(session, index), body })));
  }

  /**
   * Appends the taps that another device added to the same draft. Returns false if `taps` does not begin with all of
   * this device's taps, or has no further tap.
   */
  async appendMissingTaps(session: string, taps: TapBody[]): Promise<boolean> {
    const own = this.tapsOf(session);
    const isContinued =
      taps.length > own.length && own.every((tap, index) => canonicalJson(tap) === canonicalJson(taps[index]));
    if (!isContinued) return false;
    const added = taps.slice(own.length);
    await this.#table.write(added.map((body, index) => ({ id: tapRowId(session, own.length + index), body })));
    return true;
  }

  tapsOf(session: string): TapBody[] {
    const rows = this.#stored.get(session)?.rowCount ?? 0;
    return Array.from({ length: rows }, (_, index) => this.#table.get(tapRowId(session, index)) ?? []).flat();
  }

  /**
   * Stores a tap durably. `check` throws if the draft cannot accept the tap. After a conflict with another browser tab,
   * `check` runs again on the updated draft.
   */
  append(session: string, tap: TapAfterStart, check: (draft: Draft) => void): Promise<void> {
    return this.appendTogether([{ session, tap }], () => check(this.requireDraft(session)));
  }

  /** Stores taps of several drafts in one transaction. A tap `started` begins a draft; `check` is as in `append`. */
  async appendTogether(taps: readonly { session: string; tap: TapBody }[], check: () => void): Promise<void> {
    for (let conflicts = 0; conflicts < writeConflictsMax; conflicts++) {
      check();
      try {
        await this.#table.write(this.#rowsOf(taps));
        return;
      } catch (error) {
        if (!(error instanceof WriteConflict)) throw error;
      }
    }
    throw new Error(`other tabs keep writing ${taps[0]?.session}`);
  }

  #rowsOf(taps: readonly { session: string; tap: TapBody }[]): { id: string; body: TapBody }[] {
    const counts = new Map<string, number>();
    return taps.map(({ session, tap }) => {
      const index = counts.get(session) ?? this.#stored.get(session)?.rowCount ?? 0;
      counts.set(session, index + 1);
      return { id: tapRowId(session, index), body: tap };
    });
  }

  /** Returns the draft, or throws `recording_ended` if there is none. */
  requireDraft(session: string): Draft {
    const draft = this.get(session);
    if (!draft) throw recordingEndedError();
    return draft;
  }

  /** Reads from the storage whether the draft still exists, since another tab may have removed it. */
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

  #applyWrites(written: WrittenRows<TapBody>): void {
    const inOrder = written.every(({ id, body }) => body && this.#addRow(id, body));
    if (!inOrder) this.#rebuildAll();
  }

  #rebuildAll(): void {
    this.#stored = new Map();
    const rows = [...this.#table.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1));
    for (const [id, body] of rows) this.#addRow(id, body);
  }

  /** Adds a row to its draft in memory; returns false if the row is not the last row of that draft. */
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
    // Return false if the next row arrived before this row and was left out. The caller then rebuilds the drafts, so
    // that no other tap gets the index of the next row.
    return !this.#table.get(tapRowId(session, index + 1));
  }
}

/** Throws if the tap cannot finish the draft: the draft has ended, has no step, or refuses the tap. */
export function requireFinishable(draft: Draft, tap: FinishedTap): void {
  if (draft.discarded || draft.finished) throw recordingEndedError();
  const refusal = findTapRefusal(draft, tap);
  if (refusal === undefined) return;
  throw new GembaError({ code: draft.steps.length === 0 ? 'recording_empty' : 'tap_refused', detail: refusal });
}

export function recordingEndedError(): GembaError {
  return new GembaError({ code: 'recording_ended', detail: 'The recording was finished or discarded already.' });
}

const writeConflictsMax = 1_000;
const tapIndexDigits = 6;

export const tapRowId = (session: string, index: number): string =>
  `${session}|${String(index).padStart(tapIndexDigits, '0')}`;

function parseTapRowId(rowId: string): { session: string; index: number } {
  const bar = rowId.lastIndexOf('|');
  return { session: rowId.slice(0, bar), index: Number(rowId.slice(bar + 1)) };
}
