/** Marks mutations that the server cannot accept. Pure. */
import type { Problem } from '../../../shared/protocol/problem.ts';
import type { OutboxContent } from './content.ts';
import type { SendableEntry } from './entry.ts';
import { rowIdOf } from './parse-entry.ts';

/** Makes pushes send a noop under the entry's sequence number. A replaced entry stays, since it already is a noop. */
export function withUnsendableEntry(content: OutboxContent, unsendable: SendableEntry, reason: Problem): OutboxContent {
  const rowId = rowIdOf(unsendable);
  const payload = { kind: 'noop', because: 'unsendable', reason } as const;
  const marked = <Entry extends SendableEntry>(entry: Entry): Entry =>
    rowIdOf(entry) === rowId && entry.payload.kind === 'mutation' ? { ...entry, payload } : entry;
  return { ...content, pending: content.pending.map(marked), forwarded: content.forwarded.map(marked) };
}
