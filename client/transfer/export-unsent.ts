import type { Outbox } from '../outbox/outbox.ts';
import { hasEarlierCycle, moveEarlierCycles, tapsOfOpenDraft } from '../recording/transfer-drafts.ts';
import type { Recordings } from '../recording/recordings.ts';
import type { OutboxEntry } from '../outbox/model/entry.ts';
import { rowBodyOf } from '../outbox/model/parse-entry.ts';
import type { View } from '../view/view.ts';
import { transferMarkOf, fileVersionFor, withChecksum, type UnsentFile, type UnsentMutation } from './unsent-file.ts';

export interface TransferOptions {
  outbox: Outbox;
  view: View;
  recordings: Recordings;
  now: () => string;
}

/**
 * Exports unsent work so that another device can send it, too. This device keeps the work. The server takes each
 * mutation from the device that sends it first.
 */
export async function exportUnsent({ outbox, view, recordings, now }: TransferOptions): Promise<UnsentFile> {
  // A file holds only one draft, so the recordings of earlier cycles move into the outbox first. Try again if a tap has
  // begun another cycle meanwhile.
  const { transferParts } = recordings;
  for (let attempt = 0; attempt === 0 || (hasEarlierCycle(transferParts) && attempt < attemptsMax); attempt++) {
    if (hasEarlierCycle(transferParts)) await moveEarlierCycles(transferParts);
    // The file must have exactly the unsent work, so settle the last pull and read the mutations of other tabs.
    await outbox.writer.settle(() => view.pulledState);
    await outbox.readMissingMutations(() => view.settledSeq);
    await outbox.sequence.forwardPending();
  }
  // No `await` may come between these two reads, since a recording finished in between would be missing from the file.
  const mutations = [...view.refused, ...view.unsettled].map(toUnsentMutation);
  const draft = tapsOfOpenDraft(transferParts);
  await outbox.writer.storeTransferMarks(await Promise.all(mutations.map(transferMarkOf)));
  return withChecksum({
    format: 'gemba-unsent',
    version: fileVersionFor(draft),
    account_id: outbox.device.account_id ?? null,
    exported_at: now(),
    mutations,
    draft,
  });
}

const attemptsMax = 10;

function toUnsentMutation(entry: OutboxEntry): UnsentMutation {
  const { client_id, seq, origin, name, version, args, recorded_at, error, is_void } = rowBodyOf(entry);
  const made = { client_id, seq, name, args, recorded_at, error };
  // JSON drops undefined fields, so the checksum must not cover them.
  const rest = Object.entries({ origin, version, is_void }).filter(([, value]) => value !== undefined);
  return { ...made, ...Object.fromEntries(rest) };
}
