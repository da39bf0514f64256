/** Imports another device's unsent mutations into the outbox. Pure. */
import { canonicalJson } from '../../../../shared/protocol/canonical-json.ts';
import type { OutboxContent } from '../content.ts';
import type { ForwardedEntry, RefusedEntry, SendableEntry } from '../entry.ts';
import { rowIdOf } from '../parse-entry.ts';
import { moveToDerivedClients } from './derived-clients.ts';
import { appendForwarded, startNewClient, withoutNumbers } from './numbering.ts';

export interface ImportedEntries {
  /** The account that owns the work; undefined if the other device did not know its account. */
  account_id: string | undefined;
  /** Keeps the client id and number of the device that made it, so the server takes it once, whichever device sends it. */
  forwarded: ForwardedEntry[];
  refused: RefusedEntry[];
}

/**
 * A copy of this device has the same client id, so both may have given one number to different work. Both works are kept:
 * this device's own work moves to another number if it was never sent; otherwise the imported work moves.
 */
export function importWork(
  before: OutboxContent,
  { account_id, ...imported }: ImportedEntries,
  client_id: string,
): OutboxContent {
  // Derived client ids depend on the account, which the imported file may know before this device does.
  const content = account_id === undefined ? before : { ...before, device: { ...before.device, account_id } };
  const works = imported.forwarded.filter(isNewTo(content));
  const current = moveOwnWork(content, works, client_id);
  return {
    ...current,
    forwarded: appendForwarded(current, moveClashingWork(current, works)),
    refused: [...current.refused, ...withoutNumbers(current, imported.refused)],
  };
}

/** A file from a copy of this device also holds the work made before the device was copied, which is here already. */
function isNewTo(content: OutboxContent): (entry: ForwardedEntry) => boolean {
  const here = new Map(sendableEntriesOf(content).map((entry) => [rowIdOf(entry), entry]));
  return (entry) => {
    const known = here.get(rowIdOf(entry));
    return !known || known.name !== entry.name || canonicalJson(known.args) !== canonicalJson(entry.args);
  };
}

/**
 * Renumbers this device's own mutations that were never sent, starting at the first number under which a copy of this
 * device recorded other work.
 */
function moveOwnWork(content: OutboxContent, works: ForwardedEntry[], client_id: string): OutboxContent {
  const { device } = content;
  const ofCopy = works.filter((entry) => entry.client_id === device.client_id).map(({ seq }) => seq);
  if (ofCopy.length === 0) return content;
  const agreedSeq = Math.max(Math.min(...ofCopy) - 1, device.offered_seq ?? 0);
  const unsent = new Set(content.pending.filter(({ seq }) => seq > agreedSeq).map(rowIdOf));
  return moveToDerivedClients(startNewClient(content, client_id), (entry) => unsent.has(rowIdOf(entry)));
}

/** Renumbers imported work whose number this outbox uses for other work, and all later imported work of that client id. */
function moveClashingWork(content: OutboxContent, works: ForwardedEntry[]): ForwardedEntry[] {
  const used = new Set(sendableEntriesOf(content).map(rowIdOf));
  const clashing = new Set<string>();
  const moved = new Set<string>();
  for (const entry of works) {
    if (used.has(rowIdOf(entry))) clashing.add(entry.client_id);
    if (clashing.has(entry.client_id)) moved.add(rowIdOf(entry));
  }
  return moveToDerivedClients({ ...content, forwarded: works }, (entry) => moved.has(rowIdOf(entry))).forwarded;
}

const sendableEntriesOf = ({ pending, forwarded }: OutboxContent): SendableEntry[] => [...pending, ...forwarded];
