import type { DeviceKind } from '../../shared/schema/auth.ts';
import { upcast } from '../../shared/schema/mutation-versions.ts';
import { GembaError } from '../core/errors.ts';
import { isRecording } from '../outbox/model/mutation.ts';
import type { MutationBody } from '../storage/rows.ts';
import { validate } from '../core/validate.ts';
import type { TransferOptions } from './export-unsent.ts';
import { markOf, opened, tooNew, type UnsentMutation } from './unsent-file.ts';

export interface ImportedUnsent {
  /** Mutations that were taken in; those that were known already are not counted. */
  mutations: number;
  /** Whether the recording under way was taken in: as the one here, or beside another as a discarded one to be restored. */
  recording: boolean;
}

/** Takes in what another device exported. Safe to repeat, here and on other devices; a bad file changes nothing. */
export async function importUnsent(
  { outbox, view, recordings, kind }: Omit<TransferOptions, 'now'> & { kind: DeviceKind },
  content: unknown,
): Promise<ImportedUnsent> {
  const { account_id, mutations, draft } = await opened(content);
  for (const mutation of mutations) check(mutation);
  if (kind === 'wearable' && !mutations.every(isRecording)) throw notForWatches();
  const works = await Promise.all(mutations.map(async (it) => ({ mark: await markOf(it), body: bodyOf(it) })));
  const taken = await outbox.sequence.import({ account_id: account_id ?? undefined, works });
  const session = draft[0]?.kind === 'started' ? draft[0].recording_session_id : undefined;
  const recording =
    session !== undefined && !view.recordingSession(session) && (await recordings.takeOver(session, draft));
  return { mutations: taken, recording };
}

/** Keeps changes other than recordings off a watch: the server would refuse them under the numbers of their device. */
function notForWatches(): GembaError {
  const detail = 'A watch may send recordings alone, and the file has other changes too: import it on a phone.';
  return new GembaError({ code: 'forbidden', detail });
}

/** Validates mutations that may be pushed; a refused one may be wrong, since it waits for a person. */
function check(mutation: UnsentMutation): void {
  const args = upcast(mutation);
  if (!args) throw tooNew();
  if (mutation.error === null && !mutation.is_void) validate(mutation.name, args);
}

function bodyOf(mutation: UnsentMutation): MutationBody {
  const state = mutation.error === null ? 'carried' : 'refused';
  return { kind: 'mutation', ...mutation, state, acknowledged_at: null, is_foreign: true };
}
