/** What an app sees of the engine: the names of the contract, section 7. */
import type { Observable } from 'rxjs';
import type { FullMap, MapPatch, MapRecord, NewMap } from '../shared/schema/map.ts';
import type { Recording as RecordingBody } from '../shared/schema/recording.ts';
import type { Comparison, RunDoc, RunRecord } from '../shared/schema/run.ts';
import type { NewStage, StagePatch } from '../shared/schema/stage.ts';
import type { Attention, Remedy } from './outbox/attention.ts';
import type { Discarded, Finished, Recording } from './recorder/recording.ts';
import type { RecordingTarget } from './recorder/recordings.ts';
import type { Status } from './sync/status.ts';
import type { ImportedUnsent } from './transfer/import-unsent.ts';
import type { UnsentFile } from './transfer/unsent-file.ts';
import type { Custody } from './view/custody.ts';
import type { Pending } from './view/view.ts';

/**
 * Observables emit their current value on subscription and never half a mutation. Verbs resolve when their effect is
 * durable on the device, online or not; what cannot be is refused at once with a `GembaError` and leaves nothing behind.
 */
export interface Gemba {
  /** Maps that are not deleted, newest first. */
  maps$: Observable<Pending<MapRecord>[]>;
  /** The recycle bin. */
  deletedMaps$: Observable<Pending<MapRecord>[]>;
  map$(mapId: string): Observable<Pending<FullMap> | undefined>;
  /** Newest first. */
  runs$(mapId: string): Observable<Pending<RunRecord>[]>;
  run$(runId: number): Observable<Pending<RunDoc> | undefined>;

  createMap(fields: NewMap): Promise<{ map_id: string }>;
  updateMap(mapId: string, patch: MapPatch): Promise<void>;
  deleteMap(mapId: string): Promise<void>;
  restoreMap(mapId: string): Promise<void>;
  addStage(mapId: string, fields: NewStage): Promise<{ stage_id: number }>;
  updateStage(mapId: string, stageId: number, patch: StagePatch): Promise<void>;
  deleteStage(mapId: string, stageId: number): Promise<void>;
  reorderStages(mapId: string, stageIds: number[]): Promise<void>;
  deleteRun(runId: number): Promise<void>;
  /** The same figures as `POST /runs/compare`, made on the device. */
  compareRuns(runIds: number[]): Promise<Comparison>;

  /** The recording under way, also after a restart or a crash; one at a time a device. */
  recording$: Observable<Recording | null>;
  startRecording(target: RecordingTarget): Promise<Recording>;
  /** The last 20 recordings that were given up and had a step, the newest first. */
  discarded$: Observable<Discarded[]>;
  /** Takes one of them up again, its last step under way; refused while another is under way. */
  restoreRecording(recordingSessionId: string): Promise<Recording>;
  /** A recording that was made elsewhere; once for its session, however often it is imported. */
  importRecording(imported: { mapId: string; recording: RecordingBody }): Promise<Finished>;
  /** 'server' once the pull has proven it. */
  custody$(recordingSessionId: string): Observable<Custody>;

  status$: Observable<Status>;
  attention$: Observable<Attention[]>;
  /**
   * `seq` and `remedy` are of `attention$`; anything else is refused with `attention_not_found` or `remedy_unfit`. What
   * needs attention because of it goes along. `edit` takes the args to send instead, and says at once what is wrong in them.
   */
  resolve(seq: number, remedy: Remedy, args?: Record<string, unknown>): Promise<void>;
  /** The last 20 that were discarded, the last one first. */
  discardedChanges$: Observable<Attention[]>;
  /** Brings one of them back: it needs attention again. */
  undiscard(seq: number): Promise<void>;
  /** All that was made here and is not known to be done, for another device: JSON to be kept in a file. It stays here too. */
  exportUnsent(): Promise<UnsentFile>;
  /**
   * Takes in such a file, parsed or as text. Safe to repeat, on this and on other devices, also when the first one comes
   * back. A bad file is refused with `unsent_file_invalid`, `unsent_file_too_new` or `account_mismatch`, and nothing is changed.
   */
  importUnsent(content: unknown): Promise<ImportedUnsent>;
  /** Syncs at once; resolves when the round came to rest, however it ended: `status$` tells. */
  sync(): Promise<void>;
  /** Trades a pairing code for this device's token and keeps it. Needs the network, unlike all other verbs. */
  pair(code: string, deviceName: string): Promise<void>;
  close(): Promise<void>;
}
