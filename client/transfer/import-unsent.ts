import type { DeviceKind } from '../../shared/schema/auth.ts';
import { upcast } from '../../shared/schema/mutation-versions.ts';
import { GembaError } from '../core/errors.ts';
import { isRecordingUpload } from '../outbox/model/mutation.ts';
import type { MutationBody } from '../storage/rows.ts';
import { validate } from '../core/validate.ts';
import type { TransferOptions } from './export-unsent.ts';
import { markOf, parseUnsentFile, tooNewError, type UnsentMutation } from './unsent-file.ts';

export interface ImportedUnsent {
  /** The number of imported mutations, without those that this device already had. */
  mutations: number;
  /**
   * Whether the recording under way was imported. If one is under way here, the imported one is discarded and can be
   * restored.
   */
  recording: boolean;
}

/**
 * Imports the file of another device. Repeating it is safe, here and on other devices; an invalid file changes nothing.
 */
export async function importUnsent(
  { outbox, view, recordings, kind }: Omit<TransferOptions, 'now'> & { kind: DeviceKind },
  content: unknown,
): Promise<ImportedUnsent> {
  const { account_id, mutations, draft } = await parseUnsentFile(content);
  for (const mutation of mutations) validateMutation(mutation);
  if (kind === 'wearable' && !mutations.every(isRecordingUpload)) throw watchRefusal();
  const works = await Promise.all(mutations.map(async (it) => ({ mark: await markOf(it), body: toOutboxBody(it) })));
  const taken = await outbox.writer.importWork({ account_id: account_id ?? undefined, works });
  const session = draft[0]?.kind === 'started' ? draft[0].recording_session_id : undefined;
  const recording =
    session !== undefined && !view.recordingSession(session) && (await recordings.takeOver(session, draft));
  return { mutations: taken, recording };
}

/**
 * Refuses changes other than recordings on a watch, since the server would reject them for good under their own
 * device's numbers.
 */
function watchRefusal(): GembaError {
  const detail = 'A watch may send recordings alone, and the file has other changes too: import it on a phone.';
  return new GembaError({ code: 'forbidden', detail });
}

/** Validates a mutation that can be pushed. A refused mutation may be invalid, since it waits for a person. */
function validateMutation(mutation: UnsentMutation): void {
  const args = upcast(mutation);
  if (!args) throw tooNewError();
  if (mutation.error === null && !mutation.is_void) validate(mutation.name, args);
}

function toOutboxBody(mutation: UnsentMutation): MutationBody {
  const state = mutation.error === null ? 'carried' : 'refused';
  return { kind: 'mutation', ...mutation, state, acknowledged_at: null, is_foreign: true };
}
