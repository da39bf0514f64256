/** Indexes the outbox's entries in memory, so that a tap on the recorder does not have to search all entries. */
import type { OutboxBody } from '../storage/rows.ts';
import type { WrittenRows } from '../storage/row-cache.ts';
import type { Table } from '../storage/table.ts';
import { recordsCreatedBy } from './model/dependents/references.ts';
import { byNumber, type EntryOfState, type EntryState, type OutboxEntry } from './model/entry.ts';
import { parseEntry } from './model/parse-entry.ts';

type EntriesByState = { [State in EntryState]: Map<string, EntryOfState<State>> };

export class OutboxIndex {
  readonly #byState: EntriesByState = {
    pending: new Map(),
    refused: new Map(),
    receipt: new Map(),
    discarded: new Map(),
    forwarded: new Map(),
  };
  readonly #rowIdsOfSession = new Map<string, Set<string>>();
  readonly #all = new Map<string, OutboxEntry>();

  constructor(table: Table<OutboxBody>) {
    this.#applyWrites([...table.entries()].map(([id, body]) => ({ id, body })));
    table.onWrite('index', (written) => this.#applyWrites(written));
  }

  /** Returns the entries sorted by sequence number; forwarded entries sorted by `forwardOrder`. */
  entries<State extends EntryState>(state: State): EntryOfState<State>[] {
    const entries: EntryOfState<State>[] = [...this.#byState[state].values()];
    return entries.toSorted((a, b) => forwardOrderOf(a) - forwardOrderOf(b) || byNumber(a, b));
  }

  entryByRowId(rowId: string): OutboxEntry | undefined {
    return this.#all.get(rowId);
  }

  latestUpload(recordingSessionId: string): OutboxEntry | undefined {
    return this.uploads(recordingSessionId).at(-1);
  }

  uploads(recordingSessionId: string): OutboxEntry[] {
    return [...(this.#rowIdsOfSession.get(recordingSessionId) ?? [])].flatMap((id) => this.#all.get(id) ?? []);
  }

  /** Searches all entries, which takes long. Only a remedy for a refused mutation needs this search. */
  entryCreatingMap(mapId: string): OutboxEntry | undefined {
    const entries = [
      ...this.entries('forwarded'),
      ...this.entries('pending'),
      ...this.entries('refused'),
      ...this.entries('discarded'),
    ];
    return entries.find((entry) => recordsCreatedBy(entry).includes(`map|${mapId}`));
  }

  #applyWrites(written: WrittenRows<OutboxBody>): void {
    // Removes all old entries before adding new ones, since one write may renumber a mutation.
    for (const { id } of written) this.#remove(id);
    for (const { id, body } of written) if (body?.kind === 'mutation') this.#add(id, parseEntry(body));
  }

  #remove(id: string): void {
    const before = this.#all.get(id);
    if (!before) return;
    this.#all.delete(id);
    this.#byState[before.state].delete(id);
    const session = recordingSessionIdOf(before);
    if (session !== undefined) this.#rowIdsOfSession.get(session)?.delete(id);
  }

  #add(id: string, entry: OutboxEntry): void {
    this.#all.set(id, entry);
    addToState(this.#byState, id, entry);
    const session = recordingSessionIdOf(entry);
    if (session === undefined || entry.state === 'discarded') return;
    const ids = this.#rowIdsOfSession.get(session);
    if (ids) ids.add(id);
    else this.#rowIdsOfSession.set(session, new Set([id]));
  }
}

const forwardOrderOf = (entry: OutboxEntry): number => (entry.state === 'forwarded' ? (entry.forwardOrder ?? 0) : 0);

function addToState(byState: EntriesByState, id: string, entry: OutboxEntry): void {
  switch (entry.state) {
    case 'pending':
      byState.pending.set(id, entry);
      break;
    case 'forwarded':
      byState.forwarded.set(id, entry);
      break;
    case 'refused':
      byState.refused.set(id, entry);
      break;
    case 'receipt':
      byState.receipt.set(id, entry);
      break;
    case 'discarded':
      byState.discarded.set(id, entry);
  }
}

function recordingSessionIdOf({ args }: OutboxEntry): string | undefined {
  const session = args['recording_session_id'];
  return typeof session === 'string' ? session : undefined;
}
