/** Writes the taps of recordings one at a time, in the order in which the person made them. */
import type { Stamp, TrustedClock } from '../core/clock.ts';
import { GembaError } from '../core/errors.ts';
import type { IdGenerator } from '../core/ids.ts';
import { withinLifetime, type Lifetime } from '../core/lifetime.ts';
import type { Locks } from '../core/locks.ts';
import { mutex } from '../core/mutex.ts';
import type { FinishedTap, TapAfterStart } from '../storage/rows.ts';
import type { CyclesOptions } from './cycles.ts';
import type { DraftStates } from './draft-states.ts';
import { recordingEndedError, requireFinishable, type Drafts } from './drafts.ts';
import { isCycleStart, findTapRefusal, type Draft } from './draft.ts';
import type {
  Finished,
  FinishOptions,
  NextCycle,
  Recording,
  RecordingVerbs,
  StepEdit,
  StepFields,
  StepPosition,
} from './recording.ts';
import { finishedTap, notedTap, steppedTap } from './taps/step-taps.ts';
import { stepsChangedRefusal } from './taps/tap-changes.ts';
import { toFinished } from './upload.ts';
import type { DraftMover } from './draft-mover.ts';
import type { PhotoTaps } from './photo-taps.ts';

type EditTapsModule = typeof import('./taps/edit-taps.ts');

// Both modules load on first use, since the first step of a recording needs neither.
const loadEditTaps = () => import('./taps/edit-taps.ts');
const loadCycles = () => import('./cycles.ts');
/** Loads the code of edits and cycles, so that they work offline. */
export const preloadTapCode = (): Promise<unknown> => Promise.all([loadEditTaps(), loadCycles()]);

interface TapsOptions extends CyclesOptions {
  clock: TrustedClock;
  recordingOf(session: string): Recording;
}

export class Taps {
  readonly #drafts: Drafts;
  readonly #states: DraftStates;
  readonly #mover: DraftMover;
  readonly #locks: Locks;
  readonly #ids: IdGenerator;
  readonly #clock: TrustedClock;
  readonly #photoTaps: PhotoTaps;
  readonly #lifetime: Lifetime;
  readonly #cyclesOptions: CyclesOptions;
  readonly #recordingOf: TapsOptions['recordingOf'];
  readonly runInTurn = mutex();

  constructor({ clock, recordingOf, ...options }: TapsOptions) {
    const { drafts, states, mover, locks, ids, photoTaps, lifetime } = options;
    this.#drafts = drafts;
    this.#states = states;
    this.#mover = mover;
    this.#locks = locks;
    this.#ids = ids;
    this.#clock = clock;
    this.#photoTaps = photoTaps;
    this.#lifetime = lifetime;
    this.#cyclesOptions = options;
    this.#recordingOf = recordingOf;
  }

  verbs(session: string): RecordingVerbs {
    const tap = (makeTap: (at: Stamp) => TapAfterStart) => this.#tap(session, makeTap);
    const edit = (step: StepPosition, makeTap: (taps: EditTapsModule, at: Stamp) => TapAfterStart) =>
      this.#edit(session, step, makeTap);
    return withinLifetime(this.#lifetime, {
      step: (fields: StepFields) => tap((at) => steppedTap(at, fields)),
      note: (text: string) => tap((at) => notedTap(at, text)),
      edit: (step: StepPosition, changes: StepEdit) => edit(step, (taps, at) => taps.editedTap(at, step, changes)),
      split: (step: StepPosition, cut: { at_secs: number; stage_name?: string }) =>
        edit(step, (taps, at) => taps.splitTap(at, step, cut)),
      join: (step: StepPosition) => edit(step, (taps, at) => taps.joinedTap(at, step)),
      moveBorder: (step: StepPosition, by: { secs: number }) =>
        edit(step, (taps, at) => taps.borderMovedTap(at, step, by)),
      photo: (picture: Blob) => this.#photoTaps.take(session, picture, this),
      removePhoto: (step: StepPosition, photoId: string) =>
        edit(step, (taps, at) => taps.photoRemovedTap(at, step, photoId)),
      pause: () => tap((at) => ({ kind: 'paused', at })),
      resume: () => tap((at) => ({ kind: 'resumed', at })),
      undo: () => this.#undo(session),
      nextCycle: (step: StepFields, options?: FinishOptions) => this.#nextCycle(session, step, options),
      finish: (options?: FinishOptions) => this.#finish(session, options),
      unfinish: () => this.#unfinish(session),
      discard: () => tap(() => ({ kind: 'discarded', at: this.stampAfterDiscards() })),
    });
  }

  append(session: string, tap: TapAfterStart, check: (draft: Draft) => void = () => {}): Promise<void> {
    return this.#drafts.append(session, tap, (draft) => {
      const isEnded = draft.finished && tap.kind !== 'photographed';
      if (isEnded || this.#states.findUpload(session)) throw recordingEndedError();
      check(draft);
      const refusal = findTapRefusal(draft, tap);
      if (refusal) throw new GembaError({ code: 'tap_refused', detail: refusal });
    });
  }

  /**
   * Returns a stamp later than all earlier discards, even if the clock was set back. Discarded recordings are ordered
   * by this time.
   */
  stampAfterDiscards(): Stamp {
    const stamp = this.#clock.stamp();
    const last = Math.max(0, ...this.#drafts.all().map(({ discarded }) => discarded?.wall_ms ?? 0));
    return { ...stamp, wall_ms: Math.max(stamp.wall_ms, last + 1) };
  }

  /** Stores a tap. Reads the clocks before any `await`, so that waiting does not change the time of the tap. */
  async #tap(session: string, makeTap: (at: Stamp) => TapAfterStart): Promise<void> {
    const tap = makeTap(this.#clock.stamp());
    await this.runInTurn(() => this.append(session, tap));
  }

  /** Stores a tap that edits a step. The tap is refused if another tab has changed the steps. */
  #edit(
    session: string,
    step: StepPosition,
    makeTap: (taps: EditTapsModule, at: Stamp) => TapAfterStart,
  ): Promise<void> {
    const at = this.#clock.stamp();
    return this.runInTurn(async () => {
      const tap = makeTap(await loadEditTaps(), at);
      await this.append(session, tap, (draft) => requireSameStep(draft, step));
    });
  }

  #undo(session: string): Promise<void> {
    const at = this.#clock.stamp();
    return this.runInTurn(async () => {
      const draft = this.#drafts.get(session);
      const returnsToPreviousCycle = draft && !draft.finished && !draft.discarded && isCycleStart(draft);
      if (!returnsToPreviousCycle) return this.append(session, { kind: 'undone', at });
      const { returnToPreviousCycle } = await loadCycles();
      return returnToPreviousCycle(this.#cyclesOptions, session, at);
    });
  }

  async #nextCycle(session: string, fields: StepFields, options: FinishOptions = {}): Promise<NextCycle> {
    const at = this.#clock.stamp();
    const taps = { finish: finishedTap(at, options, this.#ids.integer), step: steppedTap(at, fields) };
    // Load the code inside `runInTurn`, so that no later tap is stored before this tap.
    const { finished, session: next } = await this.runInTurn(async () =>
      (await loadCycles()).startNextCycle(this.#cyclesOptions, session, taps),
    );
    if (!taps.finish.undo) await (await loadCycles()).moveFinishedCycle(this, this.#cyclesOptions, session);
    return { finished, recording: this.#recordingOf(next) };
  }

  /** Waits for the recording's photos, then queues `move` behind the taps. Other taps do not wait for the photos. */
  async moveAfterPhotos<Result>(session: string, move: () => Promise<Result>): Promise<Result> {
    await this.#mover.untilPhotosStored(session);
    return this.runInTurn(move);
  }

  /**
   * Stores a `finished` tap. Then moves the recording into the outbox, unless `undoMs` delays this move. If the app
   * crashes in between, the next opening moves the recording.
   */
  async #finish(session: string, options: FinishOptions = {}): Promise<Finished> {
    const tap = finishedTap(this.#clock.stamp(), options, this.#ids.integer);
    const finished = await this.runInTurn(() => this.#storeFinish(session, tap));
    return finished ?? this.moveAfterPhotos(session, () => this.#mover.moveToOutbox(session));
  }

  /** Resolves to undefined if the recording is to be moved into the outbox now. */
  async #storeFinish(session: string, tap: FinishedTap): Promise<Finished | undefined> {
    const upload = this.#states.findUpload(session);
    if (upload) return toFinished(upload);
    if (!this.#drafts.get(session)?.finished) {
      await this.#drafts.append(session, tap, (draft) => requireFinishable(draft, tap));
    }
    const draft = this.#drafts.get(session);
    const undo = draft?.finished?.undo;
    // If an earlier move failed, a second finish moves the recording at once, since a person waits for it.
    const hasFailed = undo !== undefined && this.#states.failedMoves.has(undo.run_id);
    if (!tap.undo || !draft || !undo || hasFailed) return undefined;
    return { recording_session_id: session, run_id: undo.run_id, map_id: draft.started.map_id };
  }

  /** Undoes a finish. Takes the lock of `moveToOutbox`, so that no other tab moves the recording at the same time. */
  #unfinish(session: string): Promise<void> {
    const at = this.#clock.stamp();
    const unfinish = async () => {
      await this.#drafts.refresh();
      const draft = this.#drafts.get(session);
      if (draft && !draft.finished && !draft.discarded) return;
      await this.#drafts.append(session, { kind: 'restored', at }, ({ finished }) => {
        if (!finished?.undo || this.#states.findUpload(session)) throw recordingEndedError();
        // The next cycle may be under way, since one verb finished this recording and started that cycle.
        if (this.#states.latestOpenDraft?.finished === null) throw recordingUnderWayError();
        // Do not continue a cycle if a later cycle exists, which would then be uploaded first.
        if (this.#states.hasLaterCycle(session)) throw recordingEndedError();
      });
    };
    return this.runInTurn(() => this.#locks.exclusive('recording', unfinish));
  }
}

function requireSameStep({ steps }: Draft, { index, started_at }: StepPosition): void {
  if (steps[index]?.recorded.started_at === started_at) return;
  throw new GembaError({ code: 'tap_refused', detail: stepsChangedRefusal });
}

export function recordingUnderWayError(): GembaError {
  return new GembaError({ code: 'recording_under_way', detail: 'Finish or discard the recording under way first.' });
}
