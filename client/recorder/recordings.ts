/** One recording at a time a device: its start, its taps in their order, and its end in the outbox. */
import { BehaviorSubject, type Observable } from 'rxjs';
import { assert } from '../../shared/domain/assert.ts';
import type { Clock } from '../clock.ts';
import { isoTime } from '../clock.ts';
import { GembaError } from '../errors.ts';
import type { Ids } from '../ids.ts';
import { mutex } from '../mutex.ts';
import type { NewMutation, Outbox } from '../outbox/outbox.ts';
import type { Locks } from '../store/locks.ts';
import type { DraftBody, Stamp, Tap } from '../store/rows.ts';
import type { Table } from '../store/table.ts';
import { validate } from '../validate.ts';
import { recordingDigest } from './digest.ts';
import { Drafts } from './drafts.ts';
import { recordedSteps, tapRefusal, type Draft } from './recorder.ts';
import { recordingOf, type Finished, type Recording, type RecordingVerbs, type StepFields } from './recording.ts';

/** What is recorded: a map that there is, or a new one that the recording makes. */
export type RecordingTarget = { mapId: string } | { newMap: { name: string } };

export interface RecordingsOptions {
  table: Table<DraftBody>;
  outbox: Outbox;
  locks: Locks;
  clock: Clock;
  ids: Ids;
}

export class Recordings {
  readonly #outbox: Outbox;
  readonly #locks: Locks;
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #drafts: Drafts;
  readonly #recording: BehaviorSubject<Recording | null>;
  /** Taps are written one after the other, in the order in which they were made. */
  readonly #inTurn = mutex();

  private constructor({ table, outbox, locks, clock, ids }: RecordingsOptions) {
    this.#outbox = outbox;
    this.#locks = locks;
    this.#clock = clock;
    this.#ids = ids;
    this.#drafts = new Drafts(table);
    this.#recording = new BehaviorSubject(this.#current());
    table.written$.subscribe(() => this.#recording.next(this.#current()));
  }

  static async open(options: RecordingsOptions): Promise<Recordings> {
    const recordings = new Recordings(options);
    await recordings.#forgetEnded();
    return recordings;
  }

  get recording$(): Observable<Recording | null> {
    return this.#recording.asObservable();
  }

  start(target: RecordingTarget): Promise<Recording> {
    const at = this.#stamp();
    if ('newMap' in target) validate('create_map', { name: target.newMap.name });
    return this.#locks.exclusive('recording', async () => {
      if (this.#underWay()) {
        throw new GembaError({
          code: 'recording_under_way',
          detail: 'Finish or discard the recording under way first.',
        });
      }
      const session = this.#ids.uuid();
      await this.#drafts.start({
        kind: 'started',
        at,
        recording_session_id: session,
        map_id: 'mapId' in target ? target.mapId : this.#ids.mapId(),
        new_map_name: 'newMap' in target ? target.newMap.name : null,
      });
      const draft = this.#drafts.get(session);
      assert(draft, 'a started recording stands');
      return recordingOf({ draft, verbs: this.#verbs(session) });
    });
  }

  #underWay(): Draft | undefined {
    return this.#drafts.all().find((draft) => !draft.discarded);
  }

  #current(): Recording | null {
    const draft = this.#underWay();
    return draft ? recordingOf({ draft, verbs: this.#verbs(draft.started.recording_session_id) }) : null;
  }

  #verbs(session: string): RecordingVerbs {
    return {
      step: (fields) => this.#step(session, fields),
      note: (text) => this.#note(session, text),
      undo: () => this.#tap(session, { kind: 'undone', at: this.#stamp() }),
      finish: () => this.#finish(session),
      discard: () => this.#tap(session, { kind: 'discarded', at: this.#stamp() }),
    };
  }

  /** `async`, so that a bad field rejects like everything else; the stamp is taken before anything is awaited. */
  async #step(session: string, { stage_name, work_type, notes }: StepFields): Promise<void> {
    const at = this.#stamp();
    validate('recording_step', { stage_name, order: 1, duration_secs: 0, ...defined({ work_type, notes }) });
    await this.#tap(session, { kind: 'stepped', at, stage_name, work_type: work_type ?? null, notes: notes ?? '' });
  }

  async #note(session: string, text: string): Promise<void> {
    const at = this.#stamp();
    validate('recording_step', { stage_name: 'step', order: 1, duration_secs: 0, notes: text });
    await this.#tap(session, { kind: 'noted', at, text });
  }

  #tap(session: string, tap: Tap): Promise<void> {
    return this.#inTurn(async () => {
      const refusal = tapRefusal(this.#standing(session), tap);
      if (refusal) throw new GembaError({ code: 'tap_refused', detail: refusal });
      await this.#drafts.append(session, tap);
    });
  }

  #finish(session: string): Promise<Finished> {
    const end = this.#stamp();
    return this.#inTurn(() =>
      this.#locks.exclusive('recording', async () => {
        if (!(await this.#drafts.stillStands(session))) throw recordingEnded();
        const draft = this.#standing(session);
        if (draft.discarded) throw recordingEnded();
        const { mutation, finished } = await this.#uploadOf(draft, end);
        await this.#outbox.append([mutation]);
        await this.#drafts.remove(session);
        return finished;
      }),
    );
  }

  async #uploadOf(draft: Draft, end: Stamp): Promise<{ mutation: NewMutation; finished: Finished }> {
    const { recording_session_id, map_id, new_map_name, at } = draft.started;
    const steps = recordedSteps(draft, end);
    if (steps.length === 0) {
      throw new GembaError({
        code: 'recording_empty',
        detail: 'There is no step yet: begin one, or discard the recording.',
      });
    }
    const args = {
      map_id,
      recording_session_id,
      started_at: isoTime(at.wall_ms),
      steps,
      digest: await recordingDigest(steps),
      run_id: this.#ids.integer(),
      stage_ids: steps.map(() => this.#ids.integer()),
    };
    return {
      mutation:
        new_map_name === null
          ? { name: 'upload_recording', args }
          : { name: 'record_new_map', args: { ...args, name: new_map_name } },
      finished: { recording_session_id, run_id: args.run_id, map_id },
    };
  }

  /** A crash between the outbox's write and the draft's removal leaves both; the outbox is what counts. */
  async #forgetEnded(): Promise<void> {
    for (const { started } of this.#drafts.all()) {
      if (this.#outbox.uploadOf(started.recording_session_id)) await this.#drafts.remove(started.recording_session_id);
    }
  }

  #standing(session: string): Draft {
    const draft = this.#drafts.get(session);
    if (!draft) throw recordingEnded();
    return draft;
  }

  #stamp(): Stamp {
    return { wall_ms: this.#clock.wallMs(), monotonic_ms: this.#clock.monotonicMs(), boot_id: this.#clock.bootId };
  }
}

function recordingEnded(): GembaError {
  return new GembaError({ code: 'recording_ended', detail: 'The recording was finished or discarded already.' });
}

function defined<Fields extends object>(fields: Fields): Partial<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Fields>;
}
