import type { Outbox } from '../outbox/outbox.ts';
import type { Recordings } from '../recording/recordings.ts';
import type { OutboxEntry } from '../outbox/model/entry.ts';
import { bodyOf } from '../outbox/model/parse-entry.ts';
import type { View } from '../view/view.ts';
import { formatVersion, markOf, sealed, type UnsentFile, type UnsentMutation } from './unsent-file.ts';

export interface TransferOptions {
  outbox: Outbox;
  view: View;
  recordings: Recordings;
  now: () => string;
}

/**
 * Exports unsent work for another device to carry on. The work stays here too: the first device that reaches the server brings
 * it there, and the other finds it done.
 */
export async function exportUnsent({ outbox, view, recordings, now }: TransferOptions): Promise<UnsentFile> {
  // Settle the latest pull, and read the mutations of other tabs.
  if (view.pulled) await outbox.writer.settle(view.pulled);
  await outbox.catchUp(() => view.settledSeq);
  await outbox.sequence.forwardPending();
  // Both at one moment: a recording that is finished meanwhile leaves the one for the other.
  const mutations = [...view.refused, ...view.pending].map(unsentOf);
  const draft = recordings.tapsUnderWay();
  await outbox.writer.rememberMoved(await Promise.all(mutations.map(markOf)));
  return sealed({
    format: 'gemba-unsent',
    version: formatVersion,
    account_id: outbox.device.account_id ?? null,
    exported_at: now(),
    mutations,
    draft,
  });
}

function unsentOf(entry: OutboxEntry): UnsentMutation {
  const { client_id, seq, origin, name, version, args, recorded_at, error, is_void } = bodyOf(entry);
  const made = { client_id, seq, name, args, recorded_at, error };
  // An absent field is no part of a file, nor of its checksum.
  const rest = Object.entries({ origin, version, is_void }).filter(([, value]) => value !== undefined);
  return { ...made, ...Object.fromEntries(rest) };
}
