/** One recording at a time a device: its start, its taps in their order, and its end in the outbox. */
import { BehaviorSubject, type Observable } from 'rxjs';
import { assert } from '../../shared/domain/assert.ts';
import { isoTime, type TrustedClock, type Stamp } from '../core/clock.ts';
import { GembaError, unlessCode } from '../core/errors.ts';
import type { Ids } from '../core/ids.ts';
import { withinLifetime, type Lifetime } from '../core/lifetime.ts';
import { mutex } from '../core/mutex.ts';
import { discardedMax } from '../outbox/model/discarding.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { Locks } from '../core/locks.ts';
import type { DraftBody, Tap } from '../storage/rows.ts';
import type { Table } from '../storage/table.ts';
import { validate } from '../core/validate.ts';
import type { View } from '../view/view.ts';
import { Drafts, recordingEnded } from './draft-store.ts';
import { tapRefusal, type Draft } from './draft.ts';
import { finishedBy, hasAllOf, uploadMutation, uploadsOfRun, type Upload } from './upload.ts';
import {
  recordedOf,
  type Discarded,
  type Finished,
  type Recording,
  type RecordingTarget,
  type RecordingVerbs,
  type StepFields,
} from './recording.ts';

interface RecordingsOptions {
  table: Table<DraftBody>;
  outbox: Outbox;
  view: Pick<View, 'changed$' | 'runOfSession'>;
  locks: Locks;
  clock: TrustedClock;
  ids: Ids;
  lifetime: Lifetime;
}

export class Recordings {
  readonly #outbox: Outbox;
  readonly #view: RecordingsOptions['view'];
  readonly #locks: Locks;
  readonly #clock: TrustedClock;
  readonly #ids: Ids;
  readonly #lifetime: Lifetime;
  readonly #drafts: Drafts;
  readonly #recording: BehaviorSubject<Recording | null>;
  readonly #discarded: BehaviorSubject<Discarded[]>;
  /** Taps are written one after the other, in the order in which they were made. */
  readonly #inTurn = mutex();

  constructor({ table, outbox, view, locks, clock, ids, lifetime }: RecordingsOptions) {
    this.#outbox = outbox;
    this.#view = view;
    this.#locks = locks;
    this.#clock = clock;
    this.#ids = ids;
    this.#lifetime = lifetime;
    this.#drafts = new Drafts(table);
    this.#recording = new BehaviorSubject(this.#current());
    this.#discarded = new BehaviorSubject(this.#givenUp());
    table.onWritten('derived', (written) => {
      this.#recording.next(this.#current());
      if (written.some(({ body }) => !body || turnsOfDiscarding.has(body.kind))) this.#discarded.next(this.#givenUp());
    });
    // The pull may bring the run of what seems under way, and the next opening shows that before it has read the runs.
    view.changed$.subscribe(() => {
      if (!this.#recording.value || this.#underWay()) return;
      this.#recording.next(null);
      lifetime.run(() => this.#inTurn(() => this.#carryOnFinishing())).catch(() => {});
    });
  }

  /** Brings to its end what the last opening left, once the runs are known. */
  async carryOn(): Promise<void> {
    // A disk that is full keeps no device from opening: the status says it, and whoever wants to go on is told.
    await this.#carryOnFinishing().catch(unlessCode('storage_full'));
    await this.#forgetOldDiscarded();
  }

  get recording$(): Observable<Recording | null> {
    return this.#recording.asObservable();
  }

  /** The last ones that were given up, the newest first, as long as they can be restored. */
  get discarded$(): Observable<Discarded[]> {
    return this.#discarded.asObservable();
  }

  /** Whether taps stand here that neither the outbox nor the server has. */
  hasUnsent(session: string): boolean {
    const draft = this.#drafts.get(session);
    return draft !== undefined && this.#isUnsent(draft);
  }

  close(): void {
    this.#recording.complete();
    this.#discarded.complete();
  }

  async start(target: RecordingTarget): Promise<Recording> {
    const at = this.#clock.stamp();
    if ('newMap' in target) validate('create_map', { name: target.newMap.name });
    // One that was finished and found no room in the outbox goes before.
    await this.#carryOnFinishing();
    return this.#locks.exclusive('recording', async () => {
      await this.#requireNoneUnderWay();
      const session = this.#ids.uuid();
      await this.#drafts.start({
        kind: 'started',
        at,
        recording_session_id: session,
        map_id: 'mapId' in target ? target.mapId : this.#ids.mapId(),
        new_map_name: 'newMap' in target ? target.newMap.name.trim() : null,
      });
      return this.#standing(session);
    });
  }

  /** Takes up a recording again that was discarded, as it stood, its last step under way. */
  restore(session: string): Promise<Recording> {
    const at = this.#clock.stamp();
    const restored = async () => {
      await this.#requireNoneUnderWay();
      await this.#append(session, { kind: 'restored', at });
      return this.#standing(session);
    };
    return this.#inTurn(() => this.#locks.exclusive('recording', restored));
  }

  /** The taps of the recording under way, for another device to take over. */
  tapsUnderWay(): DraftBody[] {
    const draft = this.#underWay();
    return draft ? this.#drafts.tapsOf(draft.started.recording_session_id) : [];
  }

  /**
   * Takes over a recording that is under way on another device; beside one under way here it is a discarded one, to be
   * restored. False when it is known here already.
   */
  async takeOver(session: string, taps: DraftBody[]): Promise<boolean> {
    const isFinished = taps.at(-1)?.kind === 'finished';
    const isTaken = await this.#locks.exclusive('recording', async () => {
      await this.#drafts.refresh();
      if (this.#drafts.get(session)) return this.#drafts.extend(session, taps);
      if (this.#outbox.uploadOf(session)) return false;
      const isBeside = this.#underWay() && !isFinished;
      const at = this.#stampAfterDiscarded();
      await this.#drafts.startWith(session, isBeside ? [...taps, { kind: 'discarded', at }] : taps);
      return true;
    });
    if (isTaken && isFinished) await this.#upload(session);
    return isTaken;
  }

  /** In whichever tab: of what another one has just begun no word may have come yet. */
  async #requireNoneUnderWay(): Promise<void> {
    await this.#drafts.refresh();
    if (!this.#underWay()) return;
    throw new GembaError({ code: 'recording_under_way', detail: 'Finish or discard the recording under way first.' });
  }

  #standing(session: string): Recording {
    const draft = this.#drafts.get(session);
    assert(draft, 'a recording under way stands');
    return { ...recordedOf(draft), ...this.#verbs(session) };
  }

  /** What the outbox has is no longer under way, even if its draft could not be removed yet. */
  #underWay(): Draft | undefined {
    return this.#drafts.all().find((draft) => this.#isUnsent(draft));
  }

  #isUnsent(draft: Draft): boolean {
    return !draft.discarded && !this.#uploaded(draft);
  }

  /** The mutation that this very draft became, or its run where the outbox has forgotten that one. */
  #uploaded(draft: Draft): Upload | undefined {
    const session = draft.started.recording_session_id;
    const uploads = [...this.#outbox.uploadsOf(session), ...uploadsOfRun(this.#view.runOfSession(session))];
    return uploads.find((upload) => hasAllOf(draft, upload));
  }

  #current(): Recording | null {
    const draft = this.#underWay();
    return draft ? this.#standing(draft.started.recording_session_id) : null;
  }

  #givenUp(): Discarded[] {
    return this.#drafts
      .all()
      .flatMap((draft) => (draft.discarded && draft.steps.length > 0 ? [{ draft, at: draft.discarded }] : []))
      .toSorted((a, b) => b.at.wall_ms - a.at.wall_ms)
      .map(({ draft, at }) => ({ ...recordedOf(draft), discarded_at: isoTime(at.wall_ms) }));
  }

  #verbs(session: string): RecordingVerbs {
    return withinLifetime(this.#lifetime, {
      step: (fields: StepFields) => this.#step(session, fields),
      note: (text: string) => this.#note(session, text),
      undo: () => this.#tap(session, { kind: 'undone', at: this.#clock.stamp() }),
      finish: () => this.#finish(session),
      discard: () => this.#tap(session, { kind: 'discarded', at: this.#stampAfterDiscarded() }),
    });
  }

  /** `async`, so that a bad field rejects like everything else; the stamp is taken before anything is awaited. */
  async #step(session: string, { stage_name, work_type, notes }: StepFields): Promise<void> {
    const at = this.#clock.stamp();
    validate('recording_step', { stage_name, order: 1, duration_secs: 0, work_type, notes });
    await this.#tap(session, { kind: 'stepped', at, stage_name, work_type: work_type ?? null, notes: notes ?? '' });
  }

  async #note(session: string, text: string): Promise<void> {
    const at = this.#clock.stamp();
    validate('recording_step', { stage_name: 'step', order: 1, duration_secs: 0, notes: text });
    await this.#tap(session, { kind: 'noted', at, text });
  }

  #tap(session: string, tap: Tap): Promise<void> {
    return this.#inTurn(() => this.#append(session, tap));
  }

  #append(session: string, tap: Tap): Promise<void> {
    return this.#drafts.append(session, tap, (draft) => {
      if (draft.finished || this.#uploaded(draft)) throw recordingEnded();
      const refusal = tapRefusal(draft, tap);
      if (refusal) throw new GembaError({ code: 'tap_refused', detail: refusal });
    });
  }

  /**
   * The finish is a tap of its own: once it is on the disk no other tap can come after it, from whichever tab, and a
   * crash before the outbox has the recording only delays that to the next opening.
   */
  #finish(session: string): Promise<Finished> {
    const at = this.#clock.stamp();
    return this.#inTurn(async () => {
      const standing = this.#drafts.get(session);
      const upload = standing ? this.#uploaded(standing) : this.#outbox.uploadsOf(session).at(-1);
      if (upload) return finishedBy(upload);
      if (!standing?.finished) {
        await this.#drafts.append(session, { kind: 'finished', at }, (draft) => {
          if (draft.discarded || draft.finished) throw recordingEnded();
          const refusal = tapRefusal(draft, { kind: 'finished', at });
          if (refusal) throw new GembaError({ code: 'recording_empty', detail: refusal });
        });
      }
      return this.#upload(session);
    });
  }

  /** Brings a finished recording into the outbox, once, and removes its draft. */
  #upload(session: string): Promise<Finished> {
    return this.#locks.exclusive('recording', async () => {
      const stands = await this.#drafts.stillStands(session);
      const draft = this.#drafts.get(session);
      const known = draft ? this.#uploaded(draft) : this.#outbox.uploadsOf(session).at(-1);
      if (!known && !(stands && draft?.finished)) throw recordingEnded();
      const upload =
        known ?? (await this.#outbox.writer.append([await uploadMutation(draft!, draft!.finished!, this.#ids)]))[0]!;
      // The outbox is what counts from here on; a draft that could not be removed now goes at the next opening.
      await this.#drafts.remove(session).catch(() => {});
      this.#recording.next(this.#current());
      return finishedBy(upload);
    });
  }

  async #carryOnFinishing(): Promise<void> {
    for (const draft of this.#drafts.all()) {
      const isEnded = draft.finished || this.#uploaded(draft);
      // Another tab that opened at the same time may have been quicker.
      if (isEnded) await this.#upload(draft.started.recording_session_id).catch(unlessCode('recording_ended'));
    }
  }

  /** What has no step goes at once: nobody would miss it. */
  async #forgetOldDiscarded(): Promise<void> {
    const kept = new Set(
      this.#givenUp()
        .slice(0, discardedMax)
        .map((one) => one.recording_session_id),
    );
    for (const { started, discarded } of this.#drafts.all()) {
      const session = started.recording_session_id;
      // A draft that could not be removed now goes at the next opening.
      if (discarded && !kept.has(session)) await this.#drafts.remove(session).catch(() => {});
    }
  }

  /** Later than all that were discarded before, whatever the clock says: the last one is not the first to be forgotten. */
  #stampAfterDiscarded(): Stamp {
    const stamp = this.#clock.stamp();
    const last = Math.max(0, ...this.#drafts.all().map(({ discarded }) => discarded?.wall_ms ?? 0));
    return { ...stamp, wall_ms: Math.max(stamp.wall_ms, last + 1) };
  }
}

const turnsOfDiscarding: ReadonlySet<DraftBody['kind']> = new Set(['discarded', 'restored']);
