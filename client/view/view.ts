/**
 * Shows the records that a person sees: the base (the pulled records) with the unsettled mutations replayed on it. A
 * write of records rebuilds the overlay; a write of the outbox extends or rebuilds the overlay. Only after that does
 * the view emit, so no subscriber sees a partial change.
 */
import { BehaviorSubject, type Observable } from 'rxjs';
import type { ApplyOutcome, KnownUpload } from '../../shared/domain/state.ts';
import type { ClientProgress } from '../../shared/protocol/pull.ts';
import type { PullableKind } from '../../shared/protocol/pullable-kinds.ts';
import type { MapDoc } from '../../shared/schema/map.ts';
import type { RunDoc } from '../../shared/schema/run.ts';
import { needsNewIds } from '../outbox/model/dependents/new-ids.ts';
import {
  byNumber,
  isReplaced,
  toRefusedEntry,
  type ForwardedEntry,
  type PendingEntry,
  type RefusedEntry,
  type SendableEntry,
} from '../outbox/model/entry.ts';
import { isRecordingUpload } from '../../shared/domain/runs-read.ts';
import { resendAll } from '../outbox/model/sequence/numbering.ts';
import { hasOtherEpoch } from '../outbox/model/settling/apply-pull.ts';
import { settledSeqOf, type PulledState } from '../outbox/model/settling/settlement.ts';
import type { OutboxReader } from '../outbox/outbox-reader.ts';
import { deviceRowId, recordRowId, type OutboxBody, type RecordBody } from '../storage/rows.ts';
import type { WrittenRows } from '../storage/row-cache.ts';
import type { Table } from '../storage/table.ts';
import { Base } from './base.ts';
import { ObservedRecords } from './observed-records.ts';
import { Overlay, type MutationToReplay } from './overlay.ts';
import { isInBase, isReplayed, needsAllRecords } from './replay.ts';

interface ViewOptions {
  records: Table<RecordBody>;
  outbox: OutboxReader;
  kinds: readonly PullableKind[];
}

export class View {
  /** The server's records as pulled, without unsettled mutations. */
  readonly base: Base;
  /** The maps and runs as observables. */
  readonly observed: ObservedRecords;
  readonly #records: Table<RecordBody>;
  readonly #outbox: OutboxReader;
  readonly #pullsRuns: boolean;
  #overlay: Overlay;
  /** The unsettled mutations of the device's current client id, in the order of their sequence numbers. */
  #pending: PendingEntry[] = [];
  /** The unsettled mutations of other client ids, whose effects the base does not have yet. */
  #forwarded: ForwardedEntry[] = [];
  /** The settled recordings that a restored server may lack, until the outbox makes them pending again. */
  #lost: readonly PendingEntry[] = [];
  #waitingSteps = 0;
  readonly #changed = new BehaviorSubject(0);

  constructor({ records, outbox, kinds }: ViewOptions) {
    this.#records = records;
    this.base = new Base(records);
    this.#outbox = outbox;
    this.#pullsRuns = kinds.includes('run');
    this.#overlay = this.#rebuildOverlay();
    this.observed = new ObservedRecords({ changed$: this.#changed, overlay: () => this.#overlay });
    records.onWrite('derived', (written) => this.#applyRecords(written));
    outbox.onWrite('derived', (written) => this.#applyMutations(written));
  }

  close(): void {
    this.#changed.complete();
  }

  /**
   * Loads one map before all other records, and the client record, which tells which mutations are settled. Resolves to
   * false if an unsettled mutation needs the other records.
   */
  async loadMap(mapId: string): Promise<boolean> {
    const client = { kind: 'client', id: this.#outbox.device.client_id } as const;
    const rowIds = [{ kind: 'map', id: mapId } as const, client].map(recordRowId);
    await Promise.all(rowIds.map((id) => this.#records.get(id) ?? this.#records.refresh(id)));
    return !this.unsettled.some(needsAllRecords);
  }

  /** Emits after each change of the records or of the outbox. */
  get changed$(): Observable<number> {
    return this.#changed.asObservable();
  }

  /**
   * The mutations that no pull has settled, in the order of their replay: the forwarded ones, then the pending ones.
   */
  get unsettled(): readonly SendableEntry[] {
    return this.#forwarded.length === 0 ? this.#pending : [...this.#forwarded, ...this.#pending];
  }

  /**
   * All mutations that the server may still lack: recordings that a restored server may have lost, then the `unsettled`
   * mutations. The status counts all of them as pending.
   */
  get waiting(): readonly SendableEntry[] {
    return [...this.#lost, ...this.unsettled];
  }

  /** The steps of all recordings in `waiting`: a running sum, since counting the steps of thousands is slow. */
  get waitingSteps(): number {
    return this.#waitingSteps;
  }

  /** The server's record of the device's current client id; undefined before the first push and pull under this id. */
  get client(): ClientProgress | undefined {
    return this.base.clients.get(this.#outbox.device.client_id);
  }

  /** The highest sequence number of the current client id that a pull has settled. */
  get settledSeq(): number {
    return settledSeqOf(this.client, this.#outbox.device);
  }

  /** The state of this device's mutations according to the last pull; undefined before the first pull. */
  get pulledState(): PulledState | undefined {
    const { cursor } = this.base;
    if (!cursor) return undefined;
    const hasRecordCreatedBy = (entry: RefusedEntry) => this.base.hasRecordCreatedBy(entry);
    const { client, findRun } = this;
    return { client, epoch: cursor.epoch, cursor: cursor.cursor, hasRecordCreatedBy, ...(findRun ? { findRun } : {}) };
  }

  /** Finds a pulled run by id; undefined on a device that pulls no runs, and so does not know the server's runs. */
  get findRun(): PulledState['findRun'] {
    return this.#pullsRuns ? (runId) => this.base.runs.get(runId) : undefined;
  }

  /** The refused mutations by sequence number, with pending ones that the server refused according to the last pull. */
  get refused(): RefusedEntry[] {
    const justRefused = (this.client?.rejections ?? []).flatMap(({ seq, error }) => {
      const entry = this.#outbox.entryWithNumber(seq);
      if (entry?.state !== 'pending' || seq > this.settledSeq || isReplaced(entry)) return [];
      const refused = toRefusedEntry(entry, error);
      return needsNewIds(refused) ? [] : [refused];
    });
    return [...this.#outbox.entries('refused'), ...justRefused].toSorted(byNumber);
  }

  /** Returns the name of a map, even of a map that exists only as a mutation in the outbox. */
  mapName(mapId: string): string | undefined {
    const known = this.map(mapId)?.name ?? this.#outbox.entryCreatingMap(mapId)?.args['name'];
    return typeof known === 'string' ? known : undefined;
  }

  /** Returns the names of the maps that are not in the recycle bin. */
  mapNames(): ReadonlySet<string> {
    return new Set(this.#overlay.allMaps().flatMap(({ name, deleted }) => (deleted ? [] : [name])));
  }

  /** Returns all maps including those in the recycle bin. */
  allMaps(): readonly MapDoc[] {
    return this.#overlay.allMaps();
  }

  /** Returns the outcome that the mutation would have. The view stays as it is. */
  dryRun(mutation: MutationToReplay): ApplyOutcome {
    return this.#overlay.dryRun(mutation);
  }

  map(mapId: string): MapDoc | undefined {
    return this.#overlay.map(mapId);
  }

  run(runId: number): RunDoc | undefined {
    return this.#overlay.run(runId);
  }

  /** Returns the run of a recording session, if a pull has brought it. */
  runOfSession(recordingSessionId: string): RunDoc | undefined {
    const runId = this.base.runIdOfSession.get(recordingSessionId);
    return runId === undefined ? undefined : this.base.runs.get(runId);
  }

  /** Returns the ids of the run and the map of a recording session. The run may be pulled or pending. */
  recordingSession(recordingSessionId: string): KnownUpload | undefined {
    return this.#overlay.recordingSession(recordingSessionId);
  }

  #applyRecords(written: WrittenRows<RecordBody>): void {
    this.base.applyWrites(written);
    this.#overlay = this.#rebuildOverlay();
    this.#emitChange();
  }

  /** Replays appended mutations on the overlay. Rebuilds the overlay after any other change of the outbox. */
  #applyMutations(written: WrittenRows<OutboxBody>): void {
    const rowIds = written.map(({ id }) => id).filter((id) => id !== deviceRowId);
    const lastSeq = this.#pending.at(-1)?.seq ?? 0;
    const appended = rowIds.flatMap((id) => {
      const entry = this.#outbox.entryByRowId(id);
      return entry?.state === 'pending' && this.#comesAfter(entry, lastSeq) ? [entry] : [];
    });
    if (appended.length === rowIds.length) {
      for (const entry of appended) this.#replay(this.#overlay, entry);
      this.#pending.push(...appended);
      this.#waitingSteps += countSteps(appended);
    } else {
      this.#overlay = this.#rebuildOverlay();
    }
    this.#emitChange();
  }

  #comesAfter({ seq, client_id }: PendingEntry, lastSeq: number): boolean {
    return seq > lastSeq && client_id === this.#outbox.device.client_id;
  }

  #rebuildOverlay(): Overlay {
    const { client_id, token, device_id } = this.#outbox.device;
    const settled = this.settledSeq;
    this.#pending = this.#outbox
      .entries('pending')
      .filter((entry) => entry.client_id === client_id && entry.seq > settled);
    const { cursor } = this.base;
    const isRestored = hasOtherEpoch(this.#outbox, cursor?.epoch);
    this.#forwarded = this.#outbox
      .entries('forwarded')
      .filter((entry) => isRestored || !isInBase(entry, cursor?.cursor));
    this.#lost = isRestored
      ? resendAll({ ...this.#outbox.content, forwarded: [], pending: [] }, client_id).pending
      : [];
    this.#waitingSteps = countSteps(this.waiting);
    const overlay = new Overlay(this.base, token === null ? null : device_id);
    for (const entry of this.waiting) this.#replay(overlay, entry);
    return overlay;
  }

  #replay(overlay: Overlay, entry: SendableEntry): void {
    if (isReplayed(entry, { pullsRuns: this.#pullsRuns && this.base.cursor?.partial === undefined }))
      overlay.replay(entry);
  }

  #emitChange(): void {
    this.#changed.next(this.#changed.value + 1);
  }
}

/** Counts the steps of uploads. Other mutations have no steps. */
const countSteps = (entries: readonly SendableEntry[]): number =>
  entries.reduce((count, entry) => {
    const { steps } = entry.args;
    return count + (isRecordingUpload(entry) && Array.isArray(steps) ? steps.length : 0);
  }, 0);
