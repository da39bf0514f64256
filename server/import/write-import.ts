/**
 * Writes a planned import through the account's queue, a few recordings at a time, so that other requests of the
 * account and other accounts go on in between. A file that is sent again saves no recording twice, since each upload is
 * idempotent by its recording session.
 */
import type { ImportPlan, ImportedUpload } from '../../shared/import/plan-import.ts';
import type { Mutation } from '../../shared/schema/mutation.ts';
import type { Caller } from '../core/caller.ts';
import { successReply, type RefusedRequest, type RestReply } from '../core/reply.ts';
import type { AccountQueue } from '../mutate/account-queue.ts';
import { restMutationUnit } from '../mutate/rest-unit.ts';

interface WriteOptions {
  queue: AccountQueue;
  caller: Caller;
  /** Returns true once the server is stopping. A shutdown does not wait for a long import. */
  isStopping(): boolean;
}

/**
 * Writes the new maps and the recordings of an import. `repeated` counts the recordings that the account has already,
 * since another request, such as a parallel import, wrote them after the server planned this import.
 */
export async function writeImport(
  { newMaps, uploads }: ImportPlan,
  { queue, caller, isStopping }: WriteOptions,
): Promise<{ ok: true; repeated: number } | RefusedRequest> {
  const write = (mutation: Mutation) => queue.write(caller, importUnit(mutation, caller.deviceId));
  for (const args of newMaps) {
    const made = await write({ name: 'create_map', args });
    // A parallel import of the same file may have made the map under the same id.
    if (!made.ok && made.error.code !== 'id_taken') return interruptedRefusal(made, { saved: 0, uploads });
  }
  let saved = 0;
  let repeated = 0;
  for (const batch of batchesOf(uploads)) {
    if (isStopping()) return stoppingRefusal;
    const replies = await Promise.all(batch.map((args) => write({ name: 'upload_recording', args })));
    for (const reply of replies) {
      if (!reply.ok) continue;
      saved += 1;
      if (reply.response.body === 'repeated') repeated += 1;
    }
    const refused = replies.find((reply) => !reply.ok);
    if (refused) return interruptedRefusal(refused, { saved, uploads });
  }
  return { ok: true, repeated };
}

const importUnit = (mutation: Mutation, deviceId: string | null) =>
  restMutationUnit({
    mutation,
    deviceId,
    render: ({ affectedIds }) => successReply(200, affectedIds.isRepeatedUpload ? 'repeated' : 'made').response,
  });

const batchRecordingsMax = 25;
const batchStepsMax = 250;

/** Yields batches that one transaction writes in a few milliseconds. */
function* batchesOf(uploads: ImportedUpload[]): Generator<ImportedUpload[]> {
  let batch: ImportedUpload[] = [];
  let steps = 0;
  for (const upload of uploads) {
    const count = upload.steps.length;
    if (batch.length === batchRecordingsMax || (batch.length > 0 && steps + count > batchStepsMax)) {
      yield batch;
      [batch, steps] = [[], 0];
    }
    batch.push(upload);
    steps += count;
  }
  if (batch.length > 0) yield batch;
}

function interruptedRefusal(
  refused: Extract<RestReply, { ok: false }>,
  { saved, uploads }: { saved: number; uploads: ImportedUpload[] },
): RefusedRequest {
  const { code, detail, members } = refused.error;
  // Pass this refusal on unchanged: its cause is the caller's token, not the import.
  if (code === 'unauthorized') return refused;
  const progress = `After ${saved} of ${uploads.length} recordings: ${detail}`;
  return {
    ok: false,
    error: {
      code: 'import_interrupted',
      detail: `${progress} Then send the file again; nothing is made twice.`,
      members: { ...members, reason: code, saved },
    },
  };
}

const stoppingRefusal: RefusedRequest = {
  ok: false,
  error: {
    code: 'unavailable',
    detail: 'The server stops. Send the file again; nothing is made twice.',
    members: { retry_after_secs: 5 },
  },
};
