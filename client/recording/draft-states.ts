/**
 * Tells which drafts are under way, ended or discarded. A draft that was uploaded, or whose steps a pulled run has, is
 * no longer under way.
 */
import { isoTime } from '../core/clock.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { View } from '../view/view.ts';
import type { Drafts } from './drafts.ts';
import type { Draft } from './draft.ts';
import { toRecorded, type Discarded } from './recording.ts';
import { hasAllStepsOf, uploadsOfRun, type Upload } from './upload.ts';

interface DraftStatesOptions {
  drafts: Drafts;
  outbox: Outbox;
  view: Pick<View, 'runOfSession'>;
}

export class DraftStates {
  readonly #drafts: Drafts;
  readonly #outbox: Outbox;
  readonly #view: DraftStatesOptions['view'];

  constructor({ drafts, outbox, view }: DraftStatesOptions) {
    this.#drafts = drafts;
    this.#outbox = outbox;
    this.#view = view;
  }

  /**
   * The draft that is neither discarded nor uploaded. An uploaded draft does not count, even if it is not removed yet.
   */
  get unsent(): Draft | undefined {
    return this.#drafts.all().find((draft) => this.isUnsent(draft));
  }

  isUnsent(draft: Draft): boolean {
    return !draft.discarded && !this.uploadWithAllSteps(draft);
  }

  /** The upload of this draft, or its pulled run if the outbox no longer has the upload. */
  uploadWithAllSteps(draft: Draft): Upload | undefined {
    const session = draft.started.recording_session_id;
    const uploads = [...this.#outbox.uploads(session), ...uploadsOfRun(this.#view.runOfSession(session))];
    return uploads.find((upload) => hasAllStepsOf(draft, upload));
  }

  /** The latest upload of a session whose draft was removed. */
  uploadOfSession(session: string): Upload | undefined {
    return this.#outbox.uploads(session).at(-1);
  }

  /** The drafts that are finished or uploaded, but not removed yet. */
  get ended(): Draft[] {
    return this.#drafts.all().filter((draft) => draft.finished ?? this.uploadWithAllSteps(draft));
  }

  /** The discarded recordings that have a step, latest first. */
  get discarded(): Discarded[] {
    return this.#drafts
      .all()
      .flatMap((draft) => (draft.discarded && draft.steps.length > 0 ? [{ draft, at: draft.discarded }] : []))
      .toSorted((a, b) => b.at.wall_ms - a.at.wall_ms)
      .map(({ draft, at }) => ({ ...toRecorded(draft), discarded_at: isoTime(at.wall_ms) }));
  }
}
