/** Imports another device's unsent mutations into the outbox. Pure. */
import { canonicalJson } from '../../../../shared/protocol/canonical-json.ts';
import type { MutationBody } from '../../../storage/rows.ts';
import type { OutboxContent } from '../content.ts';
import { numberOf, type ForwardedEntry, type RefusedEntry, type SendableEntry } from '../entry.ts';
import { parseEntry, rowIdOf } from '../parse-entry.ts';
import { renumberUnderDerivedClients } from './derived-clients.ts';
import { appendForwarded, entryOrigin, startNewClient, toUnnumberedEntry } from './numbering.ts';
import { requireSameAccount } from './require-account.ts';

export interface ImportedEntries {
  /** The account that owns the mutations; undefined if the exporting device had never reached the server. */
  account_id: string | undefined;
  /** Unsent mutations. They keep their client ids and sequence numbers, so that the server takes each one once. */
  forwarded: ForwardedEntry[];
  refused: RefusedEntry[];
  /** Unsent mutations that this device exported or imported before. The import skips them. */
  known?: ForwardedEntry[];
}

/**
 * The unsent mutations of a file, and the account that owns them. The account is undefined if the exporting device had
 * never reached the server.
 */
export interface ImportedFile {
  account_id: string | undefined;
  mutations: {
    /** The transfer mark, by which every device recognizes the mutation, even under a new sequence number. */
    mark: string;
    body: MutationBody;
  }[];
}

interface ImportContext {
  /** Returns true if this device exported or imported the mutation with this transfer mark before. */
  hasMark: (mark: string) => boolean;
  /** The client id that the device takes if the import must start a new one. */
  client_id: string;
}

/** Decides an import. The result has the transfer marks of the mutations that were new to this device. */
export type DecideImport = (
  before: OutboxContent,
  context: ImportContext,
) => { content: OutboxContent; marks: string[] };

/** Makes the decision function for a file. The function throws `account_mismatch` if the file is of another account. */
export const importDeciderOf =
  ({ account_id, mutations }: ImportedFile): DecideImport =>
  (before, { hasMark, client_id }) => {
    requireSameAccount(before.device, account_id);
    const added = mutations.filter(({ mark }) => !hasMark(mark));
    const entries = added.map(({ body }) => parseEntry(body));
    const marked = mutations.filter(({ mark }) => hasMark(mark)).map(({ body }) => parseEntry(body));
    const imported = {
      account_id,
      forwarded: entries.filter((entry) => entry.state === 'forwarded'),
      refused: entries.filter((entry) => entry.state === 'refused'),
      known: marked.filter((entry) => entry.state === 'forwarded'),
    };
    return { content: importWork(before, imported, client_id), marks: added.map(({ mark }) => mark) };
  };

/**
 * Adds the imported entries. A copy of this device may have given the same sequence number to another mutation. The
 * import then renumbers this device's mutation if it was never sent, and otherwise the copy's mutation.
 */
export function importWork(
  before: OutboxContent,
  { account_id, known: formerlyKnown = [], ...imported }: ImportedEntries,
  client_id: string,
): OutboxContent {
  // A derived client id is computed from the account, so the file's account is stored first.
  const content = account_id === undefined ? before : { ...before, device: { ...before.device, account_id } };
  const isNew = newEntryFilter(content);
  const newEntries = imported.forwarded.filter(isNew);
  const known = [...formerlyKnown, ...imported.forwarded.filter((entry) => !isNew(entry))];
  const current = forwardPendingIfRepeated(
    renumberUnsentEntries(content, newEntries, client_id),
    { known, newEntries },
    client_id,
  );
  return {
    ...current,
    forwarded: appendForwarded(current, renumberClashingEntries(current, newEntries)),
    refused: [...current.refused, ...toUnnumberedEntries(current, imported.refused)],
  };
}

/**
 * Moves refused `entries` to this device's client id, without sequence numbers. The moved entries sort before all
 * settled entries that the device has.
 */
export function toUnnumberedEntries(content: OutboxContent, entries: RefusedEntry[]): RefusedEntry[] {
  const { client_id } = content.device;
  const numbers = [...content.refused, ...content.receipts, ...content.discarded].map(numberOf);
  const lowest = numbers.reduce((least, number) => Math.min(least, number), 1);
  return entries.map((entry, index) => toUnnumberedEntry(entry, client_id, lowest - entries.length + index));
}

/**
 * Returns a filter for entries that this outbox lacks. A file from a copy of this device may repeat entries of this
 * outbox.
 */
function newEntryFilter(content: OutboxContent): (entry: ForwardedEntry) => boolean {
  const entriesHere = new Map(sendableEntriesOf(content).map((entry) => [rowIdOf(entry), entry]));
  return (entry) => {
    const here = entriesHere.get(rowIdOf(entry));
    return !here || here.name !== entry.name || canonicalJson(here.args) !== canonicalJson(entry.args);
  };
}

/**
 * Turns all pending mutations into forwarded ones if the file repeats one of them and also has new mutations. A new
 * mutation may depend on the repeated one, and forwarded mutations are pushed before pending ones.
 */
function forwardPendingIfRepeated(
  content: OutboxContent,
  { known, newEntries }: { known: ForwardedEntry[]; newEntries: ForwardedEntry[] },
  client_id: string,
): OutboxContent {
  const knownOrigins = new Set(known.map(entryOrigin));
  const isBehindPending =
    newEntries.length > 0 && content.pending.some((entry) => knownOrigins.has(entryOrigin(entry)));
  return isBehindPending ? startNewClient(content, client_id) : content;
}

/**
 * Renumbers unsent mutations of this device if the import has new mutations under this device's client id, made by a
 * copy of this device. The renumbering begins at the lowest sequence number of these new mutations.
 */
function renumberUnsentEntries(content: OutboxContent, imported: ForwardedEntry[], client_id: string): OutboxContent {
  const { device } = content;
  const copySeqs = imported.filter((entry) => entry.client_id === device.client_id).map(({ seq }) => seq);
  if (copySeqs.length === 0) return content;
  const agreedSeq = Math.max(Math.min(...copySeqs) - 1, device.offered_seq ?? 0);
  const unsent = new Set(content.pending.filter(({ seq }) => seq > agreedSeq).map(rowIdOf));
  return renumberUnderDerivedClients(startNewClient(content, client_id), (entry) => unsent.has(rowIdOf(entry)));
}

/** Renumbers imported entries of a client id from the first sequence number on that another mutation here has. */
function renumberClashingEntries(content: OutboxContent, imported: ForwardedEntry[]): ForwardedEntry[] {
  const used = new Set(sendableEntriesOf(content).map(rowIdOf));
  const clashing = new Set<string>();
  const renumbered = new Set<string>();
  for (const entry of imported) {
    if (used.has(rowIdOf(entry))) clashing.add(entry.client_id);
    if (clashing.has(entry.client_id)) renumbered.add(rowIdOf(entry));
  }
  return renumberUnderDerivedClients({ ...content, forwarded: imported }, (entry) => renumbered.has(rowIdOf(entry)))
    .forwarded;
}

const sendableEntriesOf = ({ pending, forwarded }: OutboxContent): SendableEntry[] => [...pending, ...forwarded];
