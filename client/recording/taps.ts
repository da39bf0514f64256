/** Writes the taps of recordings one at a time, in the order in which the worker made them. */
import { stagesAfterRecording } from '../../shared/domain/stages/stages-after-recording.ts';
import type { FieldError } from '../../shared/schema/field-errors.ts';
import type { Stamp, TrustedClock } from '../core/clock.ts';
import { GembaError } from '../core/errors.ts';
import type { IdGenerator } from '../core/ids.ts';
import { withinLifetime, type Lifetime } from '../core/lifetime.ts';
import type { Locks } from '../core/locks.ts';
import { mutex } from '../core/mutex.ts';
import { throwIfInvalid, requireValid } from '../core/validate.ts';
import { recording_step } from '../generated/recorder-validators.js';
import type { FinishedTap, LaterTap } from '../storage/rows.ts';
import type { DraftStates } from './draft-states.ts';
import { recordingEndedError, type Drafts } from './drafts.ts';
import { tapRefusal } from './draft.ts';
import type { Finished, FinishOptions, RecordingVerbs, StepFields } from './recording.ts';
import { toFinished } from './upload.ts';
import type { OutboxHandover } from './outbox-handover.ts';

interface TapsOptions {
  drafts: Drafts;
  states: DraftStates;
  handover: OutboxHandover;
  locks: Locks;
  ids: IdGenerator;
  clock: TrustedClock;
  lifetime: Lifetime;
}

export class Taps {
  readonly #drafts: Drafts;
  readonly #states: DraftStates;
  readonly #handover: OutboxHandover;
  readonly #locks: Locks;
  readonly #ids: IdGenerator;
  readonly #clock: TrustedClock;
  readonly #lifetime: Lifetime;
  readonly runInTurn = mutex();

  constructor({ drafts, states, handover, locks, ids, clock, lifetime }: TapsOptions) {
    this.#drafts = drafts;
    this.#states = states;
    this.#handover = handover;
    this.#locks = locks;
    this.#ids = ids;
    this.#clock = clock;
    this.#lifetime = lifetime;
  }

  verbs(session: string): RecordingVerbs {
    return withinLifetime(this.#lifetime, {
      step: (fields: StepFields) => this.#step(session, fields),
      note: (text: string) => this.#note(session, text),
      undo: () => this.#tap(session, { kind: 'undone', at: this.#clock.stamp() }),
      finish: (options?: FinishOptions) => this.#finish(session, options),
      unfinish: () => this.#unfinish(session),
      discard: () => this.#tap(session, { kind: 'discarded', at: this.stampAfterDiscards() }),
    });
  }

  append(session: string, tap: LaterTap): Promise<void> {
    return this.#drafts.append(session, tap, (draft) => {
      if (draft.finished || this.#states.findUpload(session)) throw recordingEndedError();
      const refusal = tapRefusal(draft, tap);
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

  /** Adds a step. Reads the clocks before any `await`, so that waiting does not delay the start of the step. */
  async #step(session: string, { stage_name, work_type, notes }: StepFields): Promise<void> {
    const at = this.#clock.stamp();
    requireValid(recording_step, { stage_name, order: 1, duration_secs: 0, work_type, notes });
    await this.#tap(session, { kind: 'stepped', at, stage_name, work_type: work_type ?? null, notes: notes ?? '' });
  }

  async #note(session: string, text: string): Promise<void> {
    const at = this.#clock.stamp();
    requireValid(recording_step, { stage_name: 'step', order: 1, duration_secs: 0, notes: text });
    await this.#tap(session, { kind: 'noted', at, text });
  }

  #tap(session: string, tap: LaterTap): Promise<void> {
    return this.runInTurn(() => this.append(session, tap));
  }

  /**
   * Stores a `finished` tap. Then moves the recording into the outbox, unless `undoMs` delays this move. If the app
   * crashes in between, the next opening moves the recording.
   */
  async #finish(session: string, { stages = 'replace', undoMs = 0 }: FinishOptions = {}): Promise<Finished> {
    const at = this.#clock.stamp();
    throwIfInvalid(finishOptionErrors(stages, undoMs));
    const tap: FinishedTap = {
      kind: 'finished',
      at,
      ...(stages === 'replace' ? {} : { stages }),
      ...(undoMs === 0 ? {} : { undo: { ms: undoMs, run_id: this.#ids.integer() } }),
    };
    return this.runInTurn(async () => {
      const upload = this.#states.findUpload(session);
      if (upload) return toFinished(upload);
      if (!this.#drafts.get(session)?.finished) await this.#appendFinish(session, tap);
      const draft = this.#drafts.get(session);
      const undo = draft?.finished?.undo;
      if (undoMs === 0 || !draft || !undo) return this.#handover.moveToOutbox(session);
      return { recording_session_id: session, run_id: undo.run_id, map_id: draft.started.map_id };
    });
  }

  #appendFinish(session: string, tap: FinishedTap): Promise<void> {
    return this.#drafts.append(session, tap, (draft) => {
      if (draft.discarded || draft.finished) throw recordingEndedError();
      const refusal = tapRefusal(draft, tap);
      if (refusal) throw new GembaError({ code: 'recording_empty', detail: refusal });
    });
  }

  /** Holds the lock that `moveToOutbox` takes, so that no other tab uploads the recording at the same time. */
  #unfinish(session: string): Promise<void> {
    const at = this.#clock.stamp();
    const unfinish = async () => {
      await this.#drafts.refresh();
      const draft = this.#drafts.get(session);
      if (draft && !draft.finished && !draft.discarded) return;
      await this.#drafts.append(session, { kind: 'restored', at }, ({ finished }) => {
        if (!finished?.undo || this.#states.findUpload(session)) throw recordingEndedError();
      });
    };
    return this.runInTurn(() => this.#locks.exclusive('recording', unfinish));
  }
}

const undoMsMax = 60_000;

function finishOptionErrors(stages: string, undoMs: number): FieldError[] {
  return [
    ...(Object.hasOwn(stagesAfterRecording, stages)
      ? []
      : [{ path: '/stages', message: 'must be replace, keep or merge' }]),
    ...(Number.isInteger(undoMs) && undoMs >= 0 && undoMs <= undoMsMax
      ? []
      : [{ path: '/undoMs', message: `must be an integer from 0 to ${undoMsMax}` }]),
  ];
}
