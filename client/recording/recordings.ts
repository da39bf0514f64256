/**
 * Starts and restores recordings on this device, and lets `DraftMover` move finished ones into the outbox. At most one
 * recording is under way.
 */
import { BehaviorSubject, type Observable } from 'rxjs';
import { assert } from '../../shared/domain/assert.ts';
import type { TrustedClock } from '../core/clock.ts';
import { ignoreErrorCode } from '../core/errors.ts';
import type { IdGenerator } from '../core/ids.ts';
import type { Lifetime } from '../core/lifetime.ts';
import type { Locks } from '../core/locks.ts';
import { requireObject, requireValid } from '../core/validate.ts';
import { new_map } from '../generated/recorder-validators.js';
import { discardedMax } from '../outbox/model/discarding.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { TapBody } from '../storage/rows.ts';
import type { Table } from '../storage/table.ts';
import type { View } from '../view/view.ts';
import { isCycleStart, type Draft } from './draft.ts';
import { DraftStates } from './draft-states.ts';
import { Drafts } from './drafts.ts';
import { toRecorded, lastUndoable } from './recording.ts';
import type { DelayedFinish, Discarded, Recording, RecordingTarget } from './recording.ts';
import { recordingUnderWayError, Taps } from './taps.ts';
import { DraftMover } from './draft-mover.ts';
import { PhotoTaps } from './photo-taps.ts';
import type { KeepPhoto } from './taps/take-photo.ts';
import type { Undoable } from './taps/undoable-taps.ts';
import type { TransferParts } from './transfer-drafts.ts';
import { undoMsLeftOf, UndoTimers } from './undo-timers.ts';

interface RecordingsOptions {
  table: Table<TapBody>;
  outbox: Outbox;
  view: Pick<View, 'changed$' | 'runOfSession'>;
  locks: Locks;
  clock: TrustedClock;
  ids: IdGenerator;
  lifetime: Lifetime;
  /** Throws `storage_full` if the space may not be enough to finish another recording. */
  requireSpace(): Promise<void>;
  keepPhoto: KeepPhoto;
}

export class Recordings {
  /** The parts that the code of exports and imports needs. That code loads on demand. */
  readonly transferParts: TransferParts;
  readonly #locks: Locks;
  readonly #clock: TrustedClock;
  readonly #ids: IdGenerator;
  readonly #drafts: Drafts;
  readonly #states: DraftStates;
  readonly #mover: DraftMover;
  readonly #taps: Taps;
  readonly #undoTimers: UndoTimers;
  readonly #recording: BehaviorSubject<Recording | null>;
  readonly #discarded: BehaviorSubject<Discarded[]>;

  constructor({ table, outbox, view, locks, clock, ids, lifetime, requireSpace, keepPhoto }: RecordingsOptions) {
    this.#locks = locks;
    this.#clock = clock;
    this.#ids = ids;
    const drafts = new Drafts(table);
    const states = new DraftStates({ drafts, outbox, view });
    const onAttempt = () => this.#recording.next(this.#currentRecording());
    const photoTaps = new PhotoTaps({ drafts, locks, clock, keepPhoto });
    const mover = new DraftMover({ drafts, states, outbox, locks, ids, photoTaps, onAttempt });
    [this.#drafts, this.#states, this.#mover] = [drafts, states, mover];
    const recordingOf = (session: string) => this.#recordingOf(session);
    this.#taps = new Taps({ drafts, states, mover, locks, ids, requireSpace, clock, lifetime, photoTaps, recordingOf });
    this.transferParts = { drafts, states, mover, locks, outbox, taps: this.#taps };
    this.#undoTimers = new UndoTimers(clock, (session, runId) => {
      // Ignore a failure, since the recording is shown again, and the next finish, start or opening retries the move.
      lifetime
        .run(() => this.#taps.moveAfterPhotos(session, () => mover.moveUnlessUndone(session, runId)))
        .catch(() => {});
    });
    this.#recording = new BehaviorSubject(this.#currentRecording());
    this.#discarded = new BehaviorSubject(states.discardedRecordings);
    table.onWrite('derived', (written) => {
      this.#undoTimers.update(drafts.all());
      this.#recording.next(this.#currentRecording());
      if (written.some(({ body }) => !body || discardOrRestoreKinds.has(body.kind)))
        this.#discarded.next(states.discardedRecordings);
    });
    // Another device may import the recording that is under way on this device, and upload the recording. A pull then
    // brings the recording's run. If the run has all steps of the recording, this device ends the recording.
    view.changed$.subscribe(() => {
      if (!this.#recording.value || states.shownDraft) return;
      this.#recording.next(null);
      lifetime.run(() => this.#taps.runInTurn(() => this.#moveDraftsPastUndoTime())).catch(() => {});
    });
  }

  /**
   * Moves finished recordings whose undo time is over, starts the timers of the others, and removes the oldest
   * discarded recordings. Call this only after the runs are loaded, since a run shows that its recording was uploaded.
   */
  async completeOpening(): Promise<void> {
    // A full disk must not prevent the opening of the engine.
    await this.#moveDraftsPastUndoTime().catch(ignoreErrorCode('storage_full'));
    await this.#removeOldDiscarded();
    this.#undoTimers.update(this.#drafts.all());
  }

  /** Moves finished recordings whose undo time is over. Removes drafts whose steps an upload or a pulled run has. */
  #moveDraftsPastUndoTime(): Promise<void> {
    const now = this.#clock.stamp();
    return this.#mover.moveDrafts(({ finished }) => !finished || undoMsLeftOf(finished, now) === 0);
  }

  get hasFinishedDraft(): boolean {
    return this.#drafts.all().some(({ finished }) => finished);
  }

  /** The finishes that wait for the end of their `undoMs`. They change only when `recording$` emits. */
  get delayedFinishes(): DelayedFinish[] {
    return this.#states.delayedFinishes;
  }

  get recording$(): Observable<Recording | null> {
    return this.#recording.asObservable();
  }

  get discarded$(): Observable<Discarded[]> {
    return this.#discarded.asObservable();
  }

  /** Returns true while the recording is a draft of this device alone, neither in the outbox nor on the server. */
  hasOpenDraft(session: string): boolean {
    const draft = this.#drafts.get(session);
    return draft !== undefined && this.#states.isOpenDraft(draft);
  }

  close(): void {
    this.#undoTimers.stopAll();
    this.#recording.complete();
    this.#discarded.complete();
  }

  async start(target: RecordingTarget): Promise<Recording> {
    const at = this.#clock.stamp();
    if ('newMap' in target) {
      requireObject(target.newMap, '/newMap');
      requireValid(new_map, { name: target.newMap.name });
    }
    // A finished draft is open until it is moved into the outbox, and an open draft prevents the start.
    await this.#mover.moveDrafts();
    return this.#locks.exclusive('recording', async () => {
      await this.#requireNoneOpen();
      const session = this.#ids.uuid();
      await this.#drafts.start({
        kind: 'started',
        at,
        recording_session_id: session,
        map_id: 'mapId' in target ? target.mapId : this.#ids.mapId(),
        new_map_name: 'newMap' in target ? target.newMap.name.trim() : null,
      });
      return this.#recordingOf(session);
    });
  }

  restore(session: string): Promise<Recording> {
    const at = this.#clock.stamp();
    const restoreDraft = async () => {
      await this.#requireNoneOpen();
      await this.#taps.append(session, { kind: 'restored', at });
      return this.#recordingOf(session);
    };
    return this.#taps.runInTurn(async () => {
      // A finished draft is open until it is moved into the outbox, and an open draft prevents the restore.
      await this.#mover.moveDrafts().catch(ignoreErrorCode('storage_full'));
      return this.#locks.exclusive('recording', restoreDraft);
    });
  }

  /** Throws if a draft is open. Reads the drafts again, since another tab may have just started a recording. */
  async #requireNoneOpen(): Promise<void> {
    await this.#drafts.refresh();
    if (!this.#states.latestOpenDraft) return;
    throw recordingUnderWayError();
  }

  #recordingOf(session: string): Recording {
    const draft = this.#drafts.get(session);
    assert(draft, 'the recording has a draft');
    const states = this.#states;
    const before = { map_being_made: states.mapBeingMade(draft), earlier_cycle: states.earlierCycle(draft) };
    return { ...toRecorded(draft), undoes: this.#nextUndo(draft), ...before, ...this.#taps.verbs(session) };
  }

  #nextUndo(draft: Draft): Undoable | null {
    const undoable = lastUndoable(draft);
    if (!undoable || !isCycleStart(draft)) return undoable;
    return this.#states.previousCycle(draft) ? { ...undoable, kind: 'cycle' } : null;
  }

  #currentRecording(): Recording | null {
    const draft = this.#states.shownDraft;
    return draft ? this.#recordingOf(draft.started.recording_session_id) : null;
  }

  /** Removes discarded drafts, except the latest `discardedMax` that have a step. */
  async #removeOldDiscarded(): Promise<void> {
    const latest = this.#states.discardedRecordings.slice(0, discardedMax);
    const latestSessions = new Set(latest.map(({ recording_session_id }) => recording_session_id));
    for (const { started, discarded } of this.#drafts.all()) {
      const session = started.recording_session_id;
      // Ignore a failure, since the next opening tries again.
      if (discarded && !latestSessions.has(session)) await this.#drafts.remove(session).catch(() => {});
    }
  }
}

const discardOrRestoreKinds: ReadonlySet<TapBody['kind']> = new Set(['discarded', 'restored']);
