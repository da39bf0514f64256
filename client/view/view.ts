/**
 * The view is what a person sees: the server's records with the pending mutations replayed on them. It is rebuilt when
 * pulled records are written, extended when a mutation is made, and published only after that, never half changed.
 */
import { BehaviorSubject, type Observable } from 'rxjs';
import { distinctUntilChanged, map } from 'rxjs/operators';
import { fullMap, mapRecord } from '../../shared/domain/map.ts';
import type { Outcome, RecordingSession } from '../../shared/domain/state.ts';
import type { ClientProgress } from '../../shared/protocol/pull.ts';
import type { PullableKind } from '../../shared/protocol/pullable-kinds.ts';
import type { FullMap, MapDoc, MapRecord } from '../../shared/schema/map.ts';
import type { RunDoc, RunRecord } from '../../shared/schema/run.ts';
import { needsNewIds } from '../outbox/model/dependents/new-ids.ts';
import {
  byNumber,
  isReplaced,
  toRefused,
  type ForwardedEntry,
  type PendingEntry,
  type RefusedEntry,
  type SendableEntry,
} from '../outbox/model/entry.ts';
import { settledSeqOf, type PulledState } from '../outbox/model/settlement.ts';
import type { OutboxReader } from '../outbox/outbox-reader.ts';
import { deviceRowId, recordRowId, type OutboxBody, type RecordBody } from '../storage/rows.ts';
import type { WrittenRows } from '../storage/row-cache.ts';
import type { Table } from '../storage/table.ts';
import { Base } from './base.ts';
import { Overlay, type MutationToReplay } from './overlay.ts';
import { isReplayed, needsRunsFirst } from './replay.ts';

/** A record with the mark `pending`: whether an unsettled mutation made or changed the record. */
export type Pending<Record> = Record & { pending: boolean };

interface ViewOptions {
  records: Table<RecordBody>;
  outbox: OutboxReader;
  /** The kinds of records that the device pulls. */
  kinds: readonly PullableKind[];
}

export class View {
  readonly base: Base;
  readonly #records: Table<RecordBody>;
  readonly #outbox: OutboxReader;
  readonly #pullsRuns: boolean;
  #overlay: Overlay;
  /** The pending mutations of the present client id, in their order. */
  #pending: PendingEntry[] = [];
  /** Forwarded mutations whose effects the base does not have yet. */
  #forwarded: ForwardedEntry[] = [];
  readonly #changed = new BehaviorSubject(0);

  constructor({ records, outbox, kinds }: ViewOptions) {
    this.#records = records;
    this.base = new Base(records);
    this.#outbox = outbox;
    this.#pullsRuns = kinds.includes('run');
    this.#overlay = this.#rebuildOverlay();
    records.onWrite('derived', (written) => this.#applyRecords(written));
    outbox.onWritten('derived', (written) => this.#applyMutations(written));
  }

  close(): void {
    this.#changed.complete();
  }

  /** Loads one map before all records are loaded; false if a pending mutation needs the runs, which are not loaded yet. */
  async loadMap(mapId: string): Promise<boolean> {
    const client = { kind: 'client', id: this.#outbox.device.client_id } as const;
    const rowIds = [{ kind: 'map', id: mapId } as const, client].map(recordRowId);
    await Promise.all(rowIds.map((id) => this.#records.get(id) ?? this.#records.refresh(id)));
    return !this.unsettled.some(needsRunsFirst);
  }

  /** Emits after each change of the records or the outbox. */
  get changed$(): Observable<number> {
    return this.#changed.asObservable();
  }

  /** The mutations that are not yet known to be done or refused, in the order in which they were made. */
  get unsettled(): readonly SendableEntry[] {
    return this.#forwarded.length === 0 ? this.#pending : [...this.#forwarded, ...this.#pending];
  }

  /** The server's record of this device's client id; undefined before its first mutation was pushed and pulled. */
  get client(): ClientProgress | undefined {
    return this.base.clients.get(this.#outbox.device.client_id);
  }

  /** The last number that the server is known to have settled; numbers that were never sent do not count. */
  get settledSeq(): number {
    return settledSeqOf(this.client, this.#outbox.device);
  }

  /** The state after the last pull; undefined before the first pull. */
  get pulled(): PulledState | undefined {
    const { cursor } = this.base;
    if (!cursor) return undefined;
    const hasRecordOf = (entry: RefusedEntry) => this.base.hasRecordOf(entry);
    return { client: this.client, epoch: cursor.epoch, cursor: cursor.cursor, hasRecordOf };
  }

  /** Refused mutations in the order in which they were made, including pending ones that the last pull shows as refused. */
  get refused(): RefusedEntry[] {
    const justRefused = (this.client?.rejections ?? []).flatMap(({ seq, error }) => {
      const entry = this.#outbox.entryWithNumber(seq);
      if (entry?.state !== 'pending' || seq > this.settledSeq || isReplaced(entry)) return [];
      const refused = toRefused(entry, error);
      return needsNewIds(refused) ? [] : [refused];
    });
    return [...this.#outbox.entries('refused'), ...justRefused].toSorted(byNumber);
  }

  /** The name of a map in the view, or of a map that an unsettled mutation of this device makes. */
  mapName(mapId: string): string | undefined {
    const known = this.map(mapId)?.name ?? this.#outbox.makerOfMap(mapId)?.args['name'];
    return typeof known === 'string' ? known : undefined;
  }

  /** The names of the maps that are not in the recycle bin. */
  mapNames(): ReadonlySet<string> {
    return new Set(this.#overlay.allMaps().flatMap(({ name, deleted }) => (deleted ? [] : [name])));
  }

  /** Returns the outcome that the mutation would have, without changing the view. */
  rehearse(mutation: MutationToReplay): Outcome {
    return this.#overlay.rehearse(mutation);
  }

  map(mapId: string): MapDoc | undefined {
    return this.#overlay.map(mapId);
  }

  run(runId: number): RunDoc | undefined {
    return this.#overlay.run(runId);
  }

  /** Maps, newest first: the maps in the recycle bin if `deleted`, otherwise the maps outside it. */
  maps$(deleted: boolean): Observable<Pending<MapRecord>[]> {
    return this.#changed.pipe(
      map(() => this.#overlay.allMaps()),
      distinctUntilChanged(),
      map((docs) =>
        docs
          .filter((doc) => doc.deleted === deleted)
          .map((doc) => ({ ...mapRecord(doc), pending: this.#overlay.maps.has(doc.id) })),
      ),
    );
  }

  map$(mapId: string): Observable<Pending<FullMap> | undefined> {
    return this.#selectDoc(
      () => this.#overlay.map(mapId),
      () => this.#overlay.maps.has(mapId),
    ).pipe(map((found) => found && { ...fullMap(found.doc), pending: found.pending }));
  }

  runs$(mapId: string): Observable<Pending<RunRecord>[]> {
    return this.#changed.pipe(
      map(() => this.#overlay.runsOf(mapId)),
      distinctUntilChanged(),
      map((docs) =>
        docs.map(({ steps: _steps, ...record }) => ({ ...record, pending: this.#overlay.runs.has(record.id) })),
      ),
    );
  }

  run$(runId: number): Observable<Pending<RunDoc> | undefined> {
    return this.#selectDoc(
      () => this.#overlay.run(runId),
      () => this.#overlay.runs.has(runId),
    ).pipe(map((found) => found && { ...found.doc, pending: found.pending }));
  }

  /** The pulled run of a recording session. */
  runOfSession(recordingSessionId: string): RunDoc | undefined {
    const runId = this.base.runIdOfSession.get(recordingSessionId);
    return runId === undefined ? undefined : this.base.runs.get(runId);
  }

  /** The ids of the run and map of a recording session, pulled or pending. */
  recordingSession(recordingSessionId: string): RecordingSession | undefined {
    return this.#overlay.recordingSession(recordingSessionId);
  }

  #applyRecords(written: WrittenRows<RecordBody>): void {
    this.base.applyWritten(written);
    this.#overlay = this.#rebuildOverlay();
    this.#publish();
  }

  /** New mutations of this client id come last and are replayed on the overlay; any other change rebuilds the overlay. */
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
    } else {
      this.#overlay = this.#rebuildOverlay();
    }
    this.#publish();
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
    // A forwarded mutation is done if its answer came before the last pull: the base then has its effects.
    const cursor = this.base.cursor?.cursor;
    const isInBase = ({ answer }: ForwardedEntry) => answer !== undefined && answer.cursor !== cursor;
    this.#forwarded = this.#outbox.entries('forwarded').filter((entry) => !isInBase(entry));
    const overlay = new Overlay(this.base, token === null ? null : device_id);
    for (const entry of this.unsettled) this.#replay(overlay, entry);
    return overlay;
  }

  #replay(overlay: Overlay, entry: SendableEntry): void {
    if (isReplayed(entry, { pullsRuns: this.#pullsRuns })) overlay.replay(entry);
  }

  #publish(): void {
    this.#changed.next(this.#changed.value + 1);
  }

  /** Emits when the document or its pending mark changed. Documents are replaced, never changed in place. */
  #selectDoc<Doc>(select: () => Doc | undefined, isPending: () => boolean) {
    return this.#changed.pipe(
      map(() => ({ doc: select(), pending: isPending() })),
      distinctUntilChanged((a, b) => a.doc === b.doc && a.pending === b.pending),
      map(({ doc, pending }) => (doc === undefined ? undefined : { doc, pending })),
    );
  }
}
