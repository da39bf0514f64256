/** Moves finished recordings into the outbox, each once, and removes their drafts. */
import { GembaError, ignoreErrorCode } from '../core/errors.ts';
import type { IdGenerator } from '../core/ids.ts';
import type { Locks } from '../core/locks.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { DraftStates } from './draft-states.ts';
import { newerAppRefusal, type Draft } from './draft.ts';
import { recordingEndedError, type Drafts } from './drafts.ts';
import type { PhotoTaps } from './photo-taps.ts';
import type { Finished } from './recording.ts';
import { toFinished, makeUploadMutation, type Upload } from './upload.ts';

interface DraftMoverOptions {
  drafts: Drafts;
  states: DraftStates;
  outbox: Outbox;
  locks: Locks;
  ids: IdGenerator;
  photoTaps: Pick<PhotoTaps, 'untilStored'>;
  /** Called after each attempt to move a recording into the outbox, successful or not. */
  onAttempt(): void;
}

export class DraftMover {
  readonly #options: DraftMoverOptions;

  constructor(options: DraftMoverOptions) {
    this.#options = options;
  }

  /**
   * Waits until the photos taken so far in this recording and the cycles before it are stored. Gives up on slow photos.
   */
  async untilPhotosStored(session: string): Promise<void> {
    for (const finished of [...this.#cyclesBefore(session), session])
      await this.#options.photoTaps.untilStored(finished);
  }

  /**
   * Moves the recording into the outbox, after its earlier finished cycles: one of these may create the map, and the
   * server numbers runs as they arrive.
   */
  moveToOutbox(session: string): Promise<Finished> {
    const { locks, onAttempt } = this.#options;
    return locks.exclusive('recording', async () => {
      try {
        for (const earlier of this.#cyclesBefore(session)) await this.#move(earlier);
        return await this.#move(session);
      } catch (error) {
        this.#noteFailedMove(session);
        throw error;
      } finally {
        onAttempt();
      }
    });
  }

  /**
   * Notes the failure for the recording, and for the earlier cycles that are not moved yet, since the recording waits
   * for these cycles.
   */
  #noteFailedMove(session: string): void {
    const { drafts, states } = this.#options;
    for (const unmoved of [...this.#cyclesBefore(session), session]) {
      const undo = drafts.get(unmoved)?.finished?.undo;
      if (undo) states.failedMoves.add(undo.run_id);
    }
  }

  /**
   * Moves the recording, unless another tab has undone the finish with this run id. A later finish has another run id.
   */
  async moveUnlessUndone(session: string, runId: number): Promise<void> {
    const { drafts } = this.#options;
    // Ignore a failure, since the move reads the storage again. If the move fails, too, the recording is shown again.
    await drafts.refresh().catch(() => {});
    if (drafts.get(session)?.finished?.undo?.run_id === runId) await this.moveToOutbox(session);
  }

  async #move(session: string): Promise<Finished> {
    const upload = await this.#appendUploadOnce(session);
    // Ignore a failure, since the next opening of the engine removes the draft.
    await this.#options.drafts.remove(session).catch(() => {});
    return toFinished(upload);
  }

  /** Returns the finished recordings of earlier cycles that still have a draft, the earliest first. */
  #cyclesBefore(session: string): string[] {
    const { drafts } = this.#options;
    const sessions = new Set<string>();
    let before = drafts.get(session)?.started.previous_session;
    while (before !== undefined && !sessions.has(before)) {
      const draft = drafts.get(before);
      if (!draft?.finished || before === session) break;
      sessions.add(before);
      before = draft.started.previous_session;
    }
    return [...sessions].toReversed();
  }

  /** Moves the finished recordings that `shouldMove` selects, by default all, and removes drafts that are uploaded. */
  async moveDrafts(shouldMove: (draft: Draft) => boolean = () => true): Promise<void> {
    for (const { started } of this.#options.states.draftsToMove.filter(shouldMove)) {
      await this.untilPhotosStored(started.recording_session_id);
      // `recording_ended` means that another tab moved the recording first.
      await this.moveToOutbox(started.recording_session_id).catch(ignoreErrorCode('recording_ended'));
    }
  }

  async #appendUploadOnce(session: string): Promise<Upload> {
    const { drafts, states, outbox, ids } = this.#options;
    // Another tab may have undone the finish, and the notification of that write may be late.
    if (drafts.get(session)?.finished?.undo) await drafts.refresh();
    const isStored = await drafts.isStored(session);
    const draft = drafts.get(session);
    const existing = states.findUpload(session);
    if (existing) return existing;
    if (!isStored || !draft?.finished) throw recordingEndedError();
    if (draft.hasUnknownTaps) throw new GembaError({ code: 'tap_refused', detail: newerAppRefusal });
    const [upload] = await outbox.writer.append([await makeUploadMutation(draft, draft.finished, ids)]);
    if (!upload) throw recordingEndedError();
    return upload;
  }
}
