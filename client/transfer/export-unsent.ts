import type { Outbox } from '../outbox/outbox.ts';
import type { Recordings } from '../recording/recordings.ts';
import type { OutboxEntry } from '../outbox/model/entry.ts';
import { bodyOf } from '../outbox/model/parse-entry.ts';
import type { View } from '../view/view.ts';
import { formatVersion, markOf, withChecksum, type UnsentFile, type UnsentMutation } from './unsent-file.ts';

export interface TransferOptions {
  outbox: Outbox;
  view: View;
  recordings: Recordings;
  now: () => string;
}

/**
 * Exports unsent work so that another device can send it. This device keeps the work: the first of the two that reaches
 * the server sends it, and the other then finds it done.
 */
export async function exportUnsent({ outbox, view, recordings, now }: TransferOptions): Promise<UnsentFile> {
  // Applies the latest pull to the outbox, and reads the mutations of other tabs.
  if (view.pulled) await outbox.writer.settle(view.pulled);
  await outbox.catchUp(() => view.settledSeq);
  await outbox.sequence.forwardPending();
  // Reads mutations and draft without a wait between, since a recording that is finished meanwhile moves from one to
  // the other.
  const mutations = [...view.refused, ...view.unsettled].map(toUnsentMutation);
  const draft = recordings.unsentTaps();
  await outbox.writer.rememberTransferred(await Promise.all(mutations.map(markOf)));
  return withChecksum({
    format: 'gemba-unsent',
    version: formatVersion,
    account_id: outbox.device.account_id ?? null,
    exported_at: now(),
    mutations,
    draft,
  });
}

function toUnsentMutation(entry: OutboxEntry): UnsentMutation {
  const { client_id, seq, origin, name, version, args, recorded_at, error, is_void } = bodyOf(entry);
  const made = { client_id, seq, name, args, recorded_at, error };
  // Leaves out absent fields, which must not change the file's checksum.
  const rest = Object.entries({ origin, version, is_void }).filter(([, value]) => value !== undefined);
  return { ...made, ...Object.fromEntries(rest) };
}
