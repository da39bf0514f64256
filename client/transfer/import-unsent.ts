import { importDraft } from '../recording/transfer-drafts.ts';
import type { DeviceKind } from '../../shared/schema/auth.ts';
import { upcast } from '../../shared/schema/mutation-versions.ts';
import { GembaError } from '../core/errors.ts';
import { importDeciderOf } from '../outbox/model/sequence/importing.ts';
import { isRecordingUpload } from '../../shared/domain/runs-read.ts';
import type { MutationBody } from '../storage/rows.ts';
import type { TransferOptions } from './export-unsent.ts';
import { transferMarkOf, parseUnsentFile, tooNewError, type UnsentMutation } from './unsent-file.ts';

export interface ImportedUnsent {
  /** The number of imported mutations. A mutation that this device already had does not count. */
  mutations: number;
  /**
   * True if the file's draft was imported. If this device has an open draft, too, the imported draft is stored as
   * discarded and can be restored.
   */
  recording: boolean;
}

/**
 * Imports the file of another device. Importing a file again is safe, on this and on other devices. An invalid file
 * changes nothing.
 */
export async function importUnsent(
  { outbox, view, recordings, kind }: Omit<TransferOptions, 'now'> & { kind: DeviceKind },
  content: unknown,
): Promise<ImportedUnsent> {
  const { account_id, mutations, draft } = await parseUnsentFile(content);
  for (const mutation of mutations) await validateArgs(mutation);
  if (kind === 'wearable' && !mutations.every(isRecordingUpload)) throw watchImportError();
  const marked = await Promise.all(
    mutations.map(async (it) => ({ mark: await transferMarkOf(it), body: toOutboxBody(it) })),
  );
  const file = { account_id: account_id ?? undefined, mutations: marked };
  const importedCount = await outbox.writer.importWork(importDeciderOf(file));
  const session = draft[0]?.kind === 'started' ? draft[0].recording_session_id : undefined;
  const recording =
    session !== undefined &&
    !view.recordingSession(session) &&
    (await importDraft(recordings.transferParts, session, draft));
  return { mutations: importedCount, recording };
}

/**
 * A watch may send nothing but recordings. The server would reject other mutations, and a rejected mutation cannot be
 * sent again under its sequence number.
 */
function watchImportError(): GembaError {
  const detail = 'A watch may send recordings alone, and the file has other changes too: import it on a phone.';
  return new GembaError({ code: 'forbidden', detail });
}

/**
 * Validates the args of a mutation that will be pushed. A refused mutation may be invalid, since a person can edit it.
 */
async function validateArgs(mutation: UnsentMutation): Promise<void> {
  const args = upcast(mutation);
  if (!args) throw tooNewError();
  if (mutation.error !== null || mutation.is_void) return;
  const { validateMutation } = await import('../core/sendable.ts');
  await validateMutation(mutation.name, args);
}

function toOutboxBody(mutation: UnsentMutation): MutationBody {
  const state = mutation.error === null ? 'carried' : 'refused';
  return { kind: 'mutation', ...mutation, state, acknowledged_at: null, is_foreign: true };
}
