/** Indexes the outbox's mutations in memory, so that no tap costs a look at all of them. */
import type { MutationBody, OutboxBody } from '../storage/rows.ts';
import type { Written } from '../storage/row-cache.ts';
import type { Table } from '../storage/table.ts';
import { upToDate } from './model/bodies.ts';
import { madeBy } from './model/references.ts';

export class OutboxIndex {
  readonly #byState: Record<MutationBody['state'], Map<string, MutationBody>> = {
    pending: new Map(),
    refused: new Map(),
    receipt: new Map(),
    discarded: new Map(),
    carried: new Map(),
  };
  readonly #rowIdsOfSession = new Map<string, Set<string>>();
  readonly #all = new Map<string, MutationBody>();

  constructor(table: Table<OutboxBody>) {
    this.#take([...table.entries()].map(([id, body]) => ({ id, body })));
    table.onWritten('index', (written) => this.#take(written));
  }

  /** Answers them in the order of their numbers, carried ones in that of their places. */
  mutations(state: MutationBody['state']): MutationBody[] {
    const byNumber = (a: MutationBody, b: MutationBody) => a.seq - b.seq;
    const byPlace = (a: MutationBody, b: MutationBody) => (a.place ?? 0) - (b.place ?? 0) || byNumber(a, b);
    return [...this.#byState[state].values()].toSorted(state === 'carried' ? byPlace : byNumber);
  }

  get(rowId: string): MutationBody | undefined {
    return this.#all.get(rowId);
  }

  ofSession(recordingSessionId: string): MutationBody | undefined {
    return this.allOfSession(recordingSessionId).at(-1);
  }

  allOfSession(recordingSessionId: string): MutationBody[] {
    return [...(this.#rowIdsOfSession.get(recordingSessionId) ?? [])].flatMap((id) => this.#all.get(id) ?? []);
  }

  /** Looks at all of them, which does no harm: only a person who resolves something asks. */
  makerOf(mapId: string): MutationBody | undefined {
    const kept = [
      ...this.mutations('carried'),
      ...this.mutations('pending'),
      ...this.mutations('refused'),
      ...this.mutations('discarded'),
    ];
    return kept.find((body) => madeBy(body).includes(`map|${mapId}`));
  }

  #take(written: Written<OutboxBody>): void {
    // Forget first, since one write may remove a mutation and put it under another number.
    for (const { id } of written) this.#forget(id);
    for (const { id, body } of written) if (body?.kind === 'mutation') this.#hold(id, upToDate(body));
  }

  #forget(id: string): void {
    const before = this.#all.get(id);
    if (!before) return;
    this.#all.delete(id);
    this.#byState[before.state].delete(id);
    const session = sessionOf(before);
    if (session !== undefined) this.#rowIdsOfSession.get(session)?.delete(id);
  }

  #hold(id: string, body: MutationBody): void {
    this.#all.set(id, body);
    this.#byState[body.state].set(id, body);
    const session = sessionOf(body);
    if (session === undefined || body.state === 'discarded') return;
    const ids = this.#rowIdsOfSession.get(session);
    if (ids) ids.add(id);
    else this.#rowIdsOfSession.set(session, new Set([id]));
  }
}

function sessionOf({ args }: MutationBody): string | undefined {
  const session = args['recording_session_id'];
  return typeof session === 'string' ? session : undefined;
}
