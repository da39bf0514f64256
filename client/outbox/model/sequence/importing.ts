/** Takes another device's work into the outbox. Pure. */
import { canonicalJson } from '../../../../shared/protocol/canonical-json.ts';
import type { OutboxContent } from '../content.ts';
import type { ForwardedEntry, RefusedEntry, SendableEntry } from '../entry.ts';
import { rowIdOf } from '../parse-entry.ts';
import { moveToDerivedClients } from './derived-clients.ts';
import { queueForwarded, startNewClient, waitBelow } from './numbering.ts';

export interface Imported {
  /** The owner of the work; undefined where the other device did not know. */
  account_id: string | undefined;
  /** Under its maker's client id and number: the server takes it once, whoever sends it. */
  forwarded: ForwardedEntry[];
  refused: RefusedEntry[];
}

/**
 * Keeps both works where a copy of this device used one of its numbers, too: this device's own moves to another number if
 * it was never sent, else the imported one does.
 */
export function importWork(
  before: OutboxContent,
  { account_id, ...imported }: Imported,
  client_id: string,
): OutboxContent {
  // Derived client ids contain the account, which the file may know before the device does.
  const content = account_id === undefined ? before : { ...before, device: { ...before.device, account_id } };
  const works = imported.forwarded.filter(isNewTo(content));
  const parted = partedFrom(content, works, client_id);
  return {
    ...parted,
    forwarded: queueForwarded(parted, withoutClash(parted, works)),
    refused: [...parted.refused, ...waitBelow(parted, imported.refused)],
  };
}

/** An import from a copy has work that was made before the copying, and is here already. */
function isNewTo(content: OutboxContent): (entry: ForwardedEntry) => boolean {
  const here = new Map(sendableIn(content).map((entry) => [rowIdOf(entry), entry]));
  return (entry) => {
    const known = here.get(rowIdOf(entry));
    return !known || known.name !== entry.name || canonicalJson(known.args) !== canonicalJson(entry.args);
  };
}

/** Moves unsent own work to other numbers, from the first one that a copy used, too. */
function partedFrom(content: OutboxContent, works: ForwardedEntry[], client_id: string): OutboxContent {
  const { device } = content;
  const ofCopy = works.filter((entry) => entry.client_id === device.client_id).map(({ seq }) => seq);
  if (ofCopy.length === 0) return content;
  const agreedSeq = Math.max(Math.min(...ofCopy) - 1, device.offered_seq ?? 0);
  const unsent = new Set(content.pending.filter(({ seq }) => seq > agreedSeq).map(rowIdOf));
  return moveToDerivedClients(startNewClient(content, client_id), (entry) => unsent.has(rowIdOf(entry)));
}

/** Moves imported work off numbers that are used here, together with its maker's later work. */
function withoutClash(content: OutboxContent, works: ForwardedEntry[]): ForwardedEntry[] {
  const used = new Set(sendableIn(content).map(rowIdOf));
  const clashing = new Set<string>();
  const moved = new Set<string>();
  for (const entry of works) {
    if (used.has(rowIdOf(entry))) clashing.add(entry.client_id);
    if (clashing.has(entry.client_id)) moved.add(rowIdOf(entry));
  }
  return moveToDerivedClients({ ...content, forwarded: works }, (entry) => moved.has(rowIdOf(entry))).forwarded;
}

const sendableIn = ({ pending, forwarded }: OutboxContent): SendableEntry[] => [...pending, ...forwarded];
