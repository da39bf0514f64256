/** Tells which drafts are under way, ended or discarded: an upload in the outbox, or a pulled run, ends the draft that it has. */
import { isoTime } from '../core/clock.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { View } from '../view/view.ts';
import type { Drafts } from './draft-store.ts';
import type { Draft } from './draft.ts';
import { recordedOf, type Discarded } from './recording.ts';
import { hasAllOf, uploadsOfRun, type Upload } from './upload.ts';

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

  /** A draft that the outbox has is no longer under way, even if it could not be removed yet. */
  get underWay(): Draft | undefined {
    return this.#drafts.all().find((draft) => this.isUnsent(draft));
  }

  isUnsent(draft: Draft): boolean {
    return !draft.discarded && !this.uploadOf(draft);
  }

  /** The upload of this draft, or its pulled run once the outbox has forgotten the upload. */
  uploadOf(draft: Draft): Upload | undefined {
    const session = draft.started.recording_session_id;
    const uploads = [...this.#outbox.uploadsOf(session), ...uploadsOfRun(this.#view.runOfSession(session))];
    return uploads.find((upload) => hasAllOf(draft, upload));
  }

  /** The latest upload of a session whose draft is gone. */
  uploadOfSession(session: string): Upload | undefined {
    return this.#outbox.uploadsOf(session).at(-1);
  }

  /** The drafts that are finished or uploaded, and not removed yet. */
  get ended(): Draft[] {
    return this.#drafts.all().filter((draft) => draft.finished ?? this.uploadOf(draft));
  }

  /** The discarded recordings that have a step, the latest first. */
  get discarded(): Discarded[] {
    return this.#drafts
      .all()
      .flatMap((draft) => (draft.discarded && draft.steps.length > 0 ? [{ draft, at: draft.discarded }] : []))
      .toSorted((a, b) => b.at.wall_ms - a.at.wall_ms)
      .map(({ draft, at }) => ({ ...recordedOf(draft), discarded_at: isoTime(at.wall_ms) }));
  }
}
