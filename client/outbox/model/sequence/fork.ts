/** Renumbers mutations if the server has other mutations under their sequence numbers. Pure. Loaded on demand. */
import type { OutboxContent } from '../content.ts';
import { isReplaced, type ForwardedEntry, type PendingEntry } from '../entry.ts';
import { renumberUnderDerivedClients } from './derived-clients.ts';
import { startNewClient, toPendingEntry, type SequenceConflict } from './numbering.ts';

/**
 * Turns pending entries into forwarded ones, so that the server compares each with the mutation under its number.
 * Without a hash chain, the server cannot compare, so the entries after `agreedSeq` get numbers under `client_id`.
 */
export function forkSequence(content: OutboxContent, conflict: SequenceConflict, client_id: string): OutboxContent {
  const { device, pending } = content;
  const { agreedSeq, comparison } = conflict;
  if (conflict.client_id !== device.client_id) {
    const isConflicting = conflictingEntryFilter(conflict);
    return renumberUnderDerivedClients(content, (entry) => entry.answer === undefined && isConflicting(entry));
  }
  if (comparison) return startNewClient(content, client_id);
  const isKept = ({ seq }: PendingEntry) => seq <= agreedSeq;
  const started = startNewClient({ ...content, pending: pending.filter(isKept) }, client_id);
  const renumbered = pending
    .filter((entry) => !isKept(entry) && !isReplaced(entry))
    .map((entry, index) => toPendingEntry(entry, client_id, index + 1));
  return { ...started, device: { ...started.device, last_seq: renumbered.length }, pending: renumbered };
}

function conflictingEntryFilter({
  client_id,
  agreedSeq,
  comparison,
}: SequenceConflict): (entry: ForwardedEntry) => boolean {
  if (!comparison || comparison === 'due') {
    return (entry) => entry.client_id === client_id && entry.seq > agreedSeq;
  }
  const { otherSeqs, hasDiverged } = comparison;
  const others = new Set(otherSeqs);
  const lastSeq = Math.max(...otherSeqs);
  return (entry) => entry.client_id === client_id && (others.has(entry.seq) || (hasDiverged && entry.seq > lastSeq));
}
