/** Writes the taps of recordings one at a time, in the order in which the worker made them. */
import type { Stamp, TrustedClock } from '../core/clock.ts';
import { GembaError } from '../core/errors.ts';
import { withinLifetime, type Lifetime } from '../core/lifetime.ts';
import { mutex } from '../core/mutex.ts';
import { validateBy } from '../core/validate.ts';
import { recording_step } from '../generated/recorder-validators.js';
import type { LaterTap } from '../storage/rows.ts';
import type { DraftStates } from './draft-states.ts';
import { recordingEnded, type Drafts } from './drafts.ts';
import { tapRefusal } from './draft.ts';
import type { Finished, RecordingVerbs, StepFields } from './recording.ts';
import { toFinished } from './upload.ts';
import type { OutboxHandover } from './outbox-handover.ts';

interface TapsOptions {
  drafts: Drafts;
  states: DraftStates;
  handover: OutboxHandover;
  clock: TrustedClock;
  lifetime: Lifetime;
}

export class Taps {
  readonly #drafts: Drafts;
  readonly #states: DraftStates;
  readonly #handover: OutboxHandover;
  readonly #clock: TrustedClock;
  readonly #lifetime: Lifetime;
  readonly inTurn = mutex();

  constructor({ drafts, states, handover, clock, lifetime }: TapsOptions) {
    this.#drafts = drafts;
    this.#states = states;
    this.#handover = handover;
    this.#clock = clock;
    this.#lifetime = lifetime;
  }

  verbs(session: string): RecordingVerbs {
    return withinLifetime(this.#lifetime, {
      step: (fields: StepFields) => this.#step(session, fields),
      note: (text: string) => this.#note(session, text),
      undo: () => this.#tap(session, { kind: 'undone', at: this.#clock.stamp() }),
      finish: () => this.#finish(session),
      discard: () => this.#tap(session, { kind: 'discarded', at: this.stampAfterDiscards() }),
    });
  }

  append(session: string, tap: LaterTap): Promise<void> {
    return this.#drafts.append(session, tap, (draft) => {
      if (draft.finished || this.#states.findUpload(session)) throw recordingEnded();
      const refusal = tapRefusal(draft, tap);
      if (refusal) throw new GembaError({ code: 'tap_refused', detail: refusal });
    });
  }

  /**
   * Returns a time after all earlier discards, even if the device's clock was set back. The oldest discards are removed
   * first, so the latest discard must have the latest time.
   */
  stampAfterDiscards(): Stamp {
    const stamp = this.#clock.stamp();
    const last = Math.max(0, ...this.#drafts.all().map(({ discarded }) => discarded?.wall_ms ?? 0));
    return { ...stamp, wall_ms: Math.max(stamp.wall_ms, last + 1) };
  }

  /**
   * Adds a step. Reads the clocks before it waits for anything. Being `async`, it rejects on an invalid field and does not
   * throw.
   */
  async #step(session: string, { stage_name, work_type, notes }: StepFields): Promise<void> {
    const at = this.#clock.stamp();
    validateBy(recording_step, { stage_name, order: 1, duration_secs: 0, work_type, notes });
    await this.#tap(session, { kind: 'stepped', at, stage_name, work_type: work_type ?? null, notes: notes ?? '' });
  }

  async #note(session: string, text: string): Promise<void> {
    const at = this.#clock.stamp();
    validateBy(recording_step, { stage_name: 'step', order: 1, duration_secs: 0, notes: text });
    await this.#tap(session, { kind: 'noted', at, text });
  }

  #tap(session: string, tap: LaterTap): Promise<void> {
    return this.inTurn(() => this.append(session, tap));
  }

  /**
   * Writes a `finished` tap, then uploads. Once that tap is on the disk, no tab can add another tap, and a crash only
   * delays the upload to the next opening of the engine.
   */
  #finish(session: string): Promise<Finished> {
    const at = this.#clock.stamp();
    return this.inTurn(async () => {
      const draft = this.#drafts.get(session);
      const upload = this.#states.findUpload(session);
      if (upload) return toFinished(upload);
      if (!draft?.finished) await this.#appendFinish(session, at);
      return this.#handover.moveToOutbox(session);
    });
  }

  #appendFinish(session: string, at: Stamp): Promise<void> {
    return this.#drafts.append(session, { kind: 'finished', at }, (draft) => {
      if (draft.discarded || draft.finished) throw recordingEnded();
      const refusal = tapRefusal(draft, { kind: 'finished', at });
      if (refusal) throw new GembaError({ code: 'recording_empty', detail: refusal });
    });
  }
}
