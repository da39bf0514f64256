/**
 * Tells which drafts are open, which must be moved into the outbox, and which are discarded. A draft is open while its
 * recording is under way, and after the finish until it is moved into the outbox. A draft counts as moved once an
 * upload in the outbox, or a pulled run, has all steps of the draft.
 */
import { isoTime } from '../core/clock.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { View } from '../view/view.ts';
import type { Drafts } from './drafts.ts';
import { stepsToUpload, type Draft } from './draft.ts';
import type { RecordedStep } from './draft-step.ts';
import { toRecorded, type DelayedFinish, type Discarded, type MapBeingMade } from './recording.ts';
import { uploadHasAllSteps, runAsUpload, type Upload } from './upload.ts';

interface DraftStatesOptions {
  drafts: Drafts;
  outbox: Outbox;
  view: Pick<View, 'runOfSession'>;
}

export class DraftStates {
  readonly #drafts: Drafts;
  readonly #outbox: Outbox;
  readonly #view: DraftStatesOptions['view'];
  /**
   * The run ids of finished recordings that this tab failed to move into the outbox. No id is ever removed, since each
   * finish has its own run id.
   */
  readonly failedMoves = new Set<number>();

  constructor({ drafts, outbox, view }: DraftStatesOptions) {
    this.#drafts = drafts;
    this.#outbox = outbox;
    this.#view = view;
  }

  /** The recording under way, or else the last finished recording that is not moved into the outbox yet. */
  get latestOpenDraft(): Draft | undefined {
    return latestDraftOf(this.#drafts.all().filter((draft) => this.isOpenDraft(draft)));
  }

  /**
   * The draft that the recorder shows: an open one, unless its finish waits for the end of its `undoMs`. A finished
   * draft is shown again if its move into the outbox has failed.
   */
  get shownDraft(): Draft | undefined {
    return latestDraftOf(
      this.#drafts.all().filter((draft) => !this.#isFinishDelayed(draft) && this.isOpenDraft(draft)),
    );
  }

  /** The finished recordings that wait for the end of their `undoMs`, the earliest finish first. */
  get delayedFinishes(): DelayedFinish[] {
    return this.#drafts
      .all()
      .flatMap((draft) =>
        draft.finished && this.#isFinishDelayed(draft) && this.isOpenDraft(draft)
          ? [{ finished_at: isoTime(draft.finished.at.wall_ms), step_count: draft.steps.length }]
          : [],
      )
      .toSorted((a, b) => a.finished_at.localeCompare(b.finished_at));
  }

  /**
   * True after a finish with an undo time, until the finish is undone or the draft's move into the outbox fails. Reads
   * no clock, since a timer moves the draft when the undo time ends.
   */
  #isFinishDelayed({ finished }: Draft): boolean {
    return finished?.undo !== undefined && !this.failedMoves.has(finished.undo.run_id);
  }

  isOpenDraft(draft: Draft): boolean {
    return !draft.discarded && !this.#uploadWithAllSteps(draft);
  }

  /**
   * Returns the upload with all steps of the draft. If the draft was removed, returns the latest upload of the session.
   */
  findUpload(session: string): Upload | undefined {
    const draft = this.#drafts.get(session);
    return draft ? this.#uploadWithAllSteps(draft) : this.#outbox.latestUpload(session);
  }

  /** Finds an upload in the outbox, or a pulled run, that has all steps of the draft. */
  #uploadWithAllSteps(draft: Draft): Upload | undefined {
    const session = draft.started.recording_session_id;
    const run = this.#view.runOfSession(session);
    const uploads = [...this.#outbox.uploads(session), ...(run ? [runAsUpload(run)] : [])];
    return uploads.find((upload) => uploadHasAllSteps(upload, draft));
  }

  /**
   * The drafts to move into the outbox, since they are finished, and the drafts to remove, since an upload or a pulled
   * run has all their steps.
   */
  get draftsToMove(): Draft[] {
    // Leave out drafts with taps that only a newer app knows. This app would upload the recording without those taps.
    const readable = this.#drafts.all().filter(({ hasUnknownTaps }) => !hasUnknownTaps);
    return readable.filter((draft) => draft.finished ?? this.#uploadWithAllSteps(draft));
  }

  /**
   * The previous cycle, which continues if a person undoes this recording's first step; undefined if there is none, or
   * once the previous cycle is moved into the outbox.
   */
  previousCycle({ started: { previous_session } }: Draft): Draft | undefined {
    const previous = previous_session === undefined ? undefined : this.#drafts.get(previous_session);
    return previous && previous.finished?.undo && !this.#uploadWithAllSteps(previous) ? previous : undefined;
  }

  /** Tells whether a later cycle is under way or finished. */
  hasLaterCycle(session: string): boolean {
    return this.#drafts.all().some((draft) => draft.started.previous_session === session && this.isOpenDraft(draft));
  }

  /** Returns the new map that an earlier cycle of this recording makes; null once that cycle is in the outbox. */
  mapBeingMade(draft: Draft): MapBeingMade | null {
    const first = this.#earliestCycleBefore(draft);
    const name = first?.started.new_map_name ?? null;
    return first && name !== null ? { name, steps: finishedStepsOf(first) } : null;
  }

  /**
   * Follows the cycles back from this recording, and returns the steps of the earliest one that is not in the outbox;
   * null if there is none.
   */
  earlierCycle(draft: Draft): RecordedStep[] | null {
    const first = this.#earliestCycleBefore(draft);
    return first ? finishedStepsOf(first) : null;
  }

  #earliestCycleBefore({ started }: Draft): Draft | undefined {
    const seen = new Set([started.recording_session_id]);
    let earliest: Draft | undefined;
    let session = started.previous_session;
    while (session !== undefined && !seen.has(session)) {
      seen.add(session);
      const draft = this.#drafts.get(session);
      if (!draft?.finished) break;
      if (this.isOpenDraft(draft)) earliest = draft;
      session = draft.started.previous_session;
    }
    return earliest;
  }

  /** The discarded recordings that have a step, the latest discard first. */
  get discardedRecordings(): Discarded[] {
    return this.#drafts
      .all()
      .filter(({ steps, isStartUndone }) => steps.length > 0 && !isStartUndone)
      .flatMap((draft) => (draft.discarded ? [{ draft, at: draft.discarded }] : []))
      .toSorted((a, b) => b.at.wall_ms - a.at.wall_ms)
      .map(({ draft, at }) => ({ ...toRecorded(draft), discarded_at: isoTime(at.wall_ms) }));
  }
}

/**
 * Returns the recording under way, or else the last cycle. The order of cycles follows from `previous_session`, since
 * clocks may be wrong.
 */
function latestDraftOf(open: readonly Draft[]): Draft | undefined {
  const sessionsBefore = new Set(open.map(({ started }) => started.previous_session));
  const isLast = ({ started }: Draft) => !sessionsBefore.has(started.recording_session_id);
  return open.find(({ finished }) => !finished) ?? open.find(isLast) ?? open[0];
}

function finishedStepsOf(draft: Draft): RecordedStep[] {
  const durations = stepsToUpload(draft, draft.finished?.at ?? null);
  return draft.steps.map(({ recorded }, index) => ({
    ...recorded,
    duration_secs: durations[index]?.duration_secs ?? recorded.duration_secs,
  }));
}
