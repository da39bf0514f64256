/**
 * What a person sees: view = fold(apply, server records, pending). It is rebuilt when a walk of the pull ends, extended
 * when a mutation is made, and published after either, never in between: nobody sees half a mutation, or one twice.
 */
import { BehaviorSubject, type Observable } from 'rxjs';
import { distinctUntilChanged, map } from 'rxjs/operators';
import { compareRuns } from '../../shared/domain/compare.ts';
import { fullMap, mapRecord } from '../../shared/domain/map.ts';
import type { Outcome, RecordingSession } from '../../shared/domain/state.ts';
import type { ClientDoc, RecordKind } from '../../shared/protocol/pull.ts';
import type { FullMap, MapDoc, MapRecord } from '../../shared/schema/map.ts';
import type { Comparison, RunDoc, RunRecord } from '../../shared/schema/run.ts';
import type { RefusedBody } from '../outbox/attention/attention.ts';
import { isKnown } from '../outbox/model/bodies.ts';
import type { Outbox } from '../outbox/outbox.ts';
import { isRenewable } from '../outbox/model/renewal.ts';
import { settledSeqOf, type Pulled } from '../outbox/model/settlement.ts';
import { deviceRowId, recordRowId, type MutationBody, type OutboxBody, type RecordBody } from '../storage/rows.ts';
import type { Written } from '../storage/row-cache.ts';
import type { Table } from '../storage/table.ts';
import { Base } from './base.ts';
import { Overlay, type Replayed } from './overlay.ts';

/** Made or changed by a mutation that the server has not confirmed yet. */
export type Pending<Record> = Record & { pending: boolean };

interface ViewOptions {
  records: Table<RecordBody>;
  outbox: Outbox;
  /** What the device pulls. */
  kinds: readonly RecordKind[];
}

export class View {
  readonly base: Base;
  readonly #records: Table<RecordBody>;
  readonly #outbox: Outbox;
  readonly #pullsRuns: boolean;
  #overlay: Overlay;
  /** The pending mutations of the overlay, in their order. */
  #pending: MutationBody[] = [];
  /** Those under other client ids, made before. */
  #carried: MutationBody[] = [];
  readonly #changed = new BehaviorSubject(0);

  constructor({ records, outbox, kinds }: ViewOptions) {
    this.#records = records;
    this.base = new Base(records);
    this.#outbox = outbox;
    this.#pullsRuns = kinds.includes('run');
    this.#overlay = this.#rebuilt();
    records.onWritten('derived', (written) => this.#takeRecords(written));
    outbox.onWritten('derived', (written) => this.#takeMutations(written));
  }

  close(): void {
    this.#changed.complete();
  }

  /** Reads a map before all records are read; false while something is pending that counts otherwise without the runs. */
  async loadMap(mapId: string): Promise<boolean> {
    const client = { kind: 'client', id: this.#outbox.device.client_id } as const;
    const rowIds = [{ kind: 'map', id: mapId } as const, client].map(recordRowId);
    await Promise.all(rowIds.map((id) => this.#records.get(id) ?? this.#records.refresh(id)));
    return this.pending.every(
      ({ name, acknowledged_at, state }) => name !== 'delete_run' && acknowledged_at === null && state !== 'carried',
    );
  }

  /** Ticks after each change that a view may show. */
  get changed$(): Observable<number> {
    return this.#changed.asObservable();
  }

  /** Not yet known to be done or refused, in the order in which they were made. */
  get pending(): readonly MutationBody[] {
    return this.#carried.length === 0 ? this.#pending : [...this.#carried, ...this.#pending];
  }

  /** What the pull last told of this device's mutations; undefined before any was pushed. */
  get client(): ClientDoc | undefined {
    return this.base.clients.get(this.#outbox.device.client_id);
  }

  /** How far the server is known to be with this device's mutations. What was never sent is not among them. */
  get settledSeq(): number {
    return settledSeqOf(this.client, this.#outbox.device);
  }

  /** What the pull told last; undefined before the first. */
  get pulled(): Pulled | undefined {
    const { cursor } = this.base;
    if (!cursor) return undefined;
    const stands = (body: MutationBody) => this.base.holds(body);
    return { client: this.client, epoch: cursor.epoch, cursor: cursor.cursor, stands };
  }

  /** What needs attention, in the order in which it was made. What the pull just told counts before the outbox has it. */
  get refused(): RefusedBody[] {
    const justTold = (this.client?.rejections ?? []).flatMap(({ seq, error }) => {
      const body = this.#outbox.get(seq);
      return body?.state === 'pending' && seq <= this.settledSeq && !body.is_void && !isRenewable({ ...body, error })
        ? [{ ...body, error: body.withdrawn ?? error }]
        : [];
    });
    return [...this.#outbox.refused, ...justTold].toSorted((a, b) => a.seq - b.seq);
  }

  /** The name of a map that is known, or that a mutation of this device was to make. */
  mapName(mapId: string): string | undefined {
    const making = () => this.#outbox.makerOf(mapId)?.args['name'] as string | undefined;
    return this.map(mapId)?.name ?? making();
  }

  /** Of the maps that are not in the recycle bin. */
  mapNames(): ReadonlySet<string> {
    return new Set(this.#overlay.allMaps().flatMap(({ name, deleted }) => (deleted ? [] : [name])));
  }

  /** What a mutation would do now; nothing is kept of it. */
  rehearse(mutation: Replayed): Outcome {
    return this.#overlay.rehearse(mutation);
  }

  map(mapId: string): MapDoc | undefined {
    return this.#overlay.map(mapId);
  }

  run(runId: number): RunDoc | undefined {
    return this.#overlay.run(runId);
  }

  /** Newest first; those of the recycle bin when `deleted`. */
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

  /** Of those of the runs that are here. */
  compare(runIds: number[]): Comparison {
    return compareRuns(runIds.flatMap((id) => this.run(id) ?? []));
  }

  /** The run that the pull brought of a recording session. */
  runOfSession(recordingSessionId: string): RunDoc | undefined {
    return this.base.runs.get(this.base.runIdOfSession.get(recordingSessionId)!);
  }

  /** The run that a recording session became, here or on the server. */
  recordingSession(recordingSessionId: string): RecordingSession | undefined {
    return this.#overlay.recordingSession(recordingSessionId);
  }

  #takeRecords(written: Written<RecordBody>): void {
    this.base.take(written);
    this.#overlay = this.#rebuilt();
    this.#publish();
  }

  /** A mutation made here comes last, so the overlay grows by it; any other change builds it anew. */
  #takeMutations(written: Written<OutboxBody>): void {
    const mutations = written.flatMap(({ id, body }) => (id === deviceRowId ? [] : [body]));
    const appended = mutations.filter((body) => body?.kind === 'mutation' && body.state === 'pending');
    const lastSeq = this.#pending.at(-1)?.seq ?? 0;
    const growsOnly = appended.length === mutations.length && appended.every((body) => this.#follows(body, lastSeq));
    if (growsOnly) {
      for (const body of appended as MutationBody[]) {
        if (this.#isReplayed(body)) this.#overlay.replay(body);
        this.#pending.push(body);
      }
    } else {
      this.#overlay = this.#rebuilt();
    }
    this.#publish();
  }

  #follows(body: OutboxBody | undefined, lastSeq: number): boolean {
    return body?.kind === 'mutation' && body.seq > lastSeq && body.client_id === this.#outbox.device.client_id;
  }

  #rebuilt(): Overlay {
    const { client_id, token, device_id } = this.#outbox.device;
    const settled = this.settledSeq;
    this.#pending = this.#outbox
      .mutations('pending')
      .filter((body) => body.client_id === client_id && body.seq > settled);
    // The base has the effects of what was answered before it was pulled.
    const cursor = this.base.cursor?.cursor;
    const isDone = ({ answer }: MutationBody) => answer !== undefined && answer.cursor !== cursor;
    this.#carried = this.#outbox.mutations('carried').filter((body) => !isDone(body));
    const overlay = new Overlay(this.base, token === null ? null : device_id);
    for (const body of this.pending) if (this.#isReplayed(body)) overlay.replay(body);
    return overlay;
  }

  /**
   * The server may have a recording already that is offered again, or carried: a device that pulls runs sees that by its
   * session, one that does not would count it twice.
   */
  #isReplayed(body: MutationBody): boolean {
    const { name, acknowledged_at, is_void, state } = body;
    const mayStand = acknowledged_at !== null || state === 'carried';
    return !is_void && isKnown(body) && (this.#pullsRuns || !(mayStand && name === 'upload_recording'));
  }

  #publish(): void {
    this.#changed.next(this.#changed.value + 1);
  }

  /** Emits when the document or its pending mark changed; documents are replaced, never changed. */
  #selectDoc<Doc>(select: () => Doc | undefined, isPending: () => boolean) {
    return this.#changed.pipe(
      map(() => ({ doc: select(), pending: isPending() })),
      distinctUntilChanged((a, b) => a.doc === b.doc && a.pending === b.pending),
      map(({ doc, pending }) => (doc === undefined ? undefined : { doc, pending })),
    );
  }
}
