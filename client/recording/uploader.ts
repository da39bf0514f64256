/** Moves finished recordings into the outbox, each once, and removes their drafts. */
import { unlessCode } from '../core/errors.ts';
import type { IdGenerator } from '../core/ids.ts';
import type { Locks } from '../core/locks.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { DraftStates } from './draft-states.ts';
import { recordingEnded, type Drafts } from './drafts.ts';
import type { Finished } from './recording.ts';
import { toFinished, uploadMutation, type Upload } from './upload.ts';

interface UploaderOptions {
  drafts: Drafts;
  states: DraftStates;
  outbox: Outbox;
  locks: Locks;
  ids: IdGenerator;
  /** Called after each upload, even if the draft could not be removed. */
  onUploaded(): void;
}

export class Uploader {
  readonly #options: UploaderOptions;

  constructor(options: UploaderOptions) {
    this.#options = options;
  }

  upload(session: string): Promise<Finished> {
    const { drafts, locks } = this.#options;
    return locks.exclusive('recording', async () => {
      const upload = await this.#appendOnce(session);
      // The outbox has the recording now; a draft that cannot be removed is removed at the next opening.
      await drafts.remove(session).catch(() => {});
      this.#options.onUploaded();
      return toFinished(upload);
    });
  }

  /** Uploads recordings that were finished but, after a crash or with a full disk, are not in the outbox yet. */
  async uploadEnded(): Promise<void> {
    for (const { started } of this.#options.states.ended) {
      // Another tab that opened at the same time may have uploaded the recording first.
      await this.upload(started.recording_session_id).catch(unlessCode('recording_ended'));
    }
  }

  async #appendOnce(session: string): Promise<Upload> {
    const { drafts, states, outbox, ids } = this.#options;
    const stands = await drafts.isStored(session);
    const draft = drafts.get(session);
    const known = draft ? states.uploadWithAllSteps(draft) : states.uploadOfSession(session);
    if (known) return known;
    if (!stands || !draft?.finished) throw recordingEnded();
    const [upload] = await outbox.writer.append([await uploadMutation(draft, draft.finished, ids)]);
    if (!upload) throw recordingEnded();
    return upload;
  }
}
