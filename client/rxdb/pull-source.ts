/**
 * Answers the pulls of RxDB from what the engine shows. The first pull compares the engine with the collection, so that
 * only the differences are written. A document stays unwritten until RxDB has written its latest change.
 */
import { Observable, Subject, type Subscription } from 'rxjs';
import { audit } from 'rxjs/operators';
import type { ReplicationPullHandlerResult, RxCollection, WithDeleted } from 'rxdb';
import { deepEqual } from 'rxdb/plugins/utils';
import type { Identified, RecordChange, Records } from './records.ts';
import type { PullResult } from './retry-schedule.ts';

/** Empty, since RxDB moves its checkpoint past documents that its storage refused. */
export type GembaCheckpoint = Record<string, never>;

const checkpoint: GembaCheckpoint = {};

interface PullSourceOptions<Doc extends Identified> {
  records: Records<Doc>;
  collection: RxCollection<Doc, unknown, unknown, unknown>;
  /** Called when the engine is closed. */
  onClosed: () => void;
}

export class PullSource<Doc extends Identified> {
  readonly #options: PullSourceOptions<Doc>;
  /** The number of the latest change of each document that RxDB has yet to write. */
  readonly #unwritten = new Map<string, number>();
  /** The number of the change with which each unwritten document was pulled. */
  readonly #pulled = new Map<string, number>();
  /** The documents that were refused when they were offered alone. A retry offers the others before them. */
  readonly #refusedAlone = new Set<string>();
  /** The documents of the last pull, until `settle`. */
  #offered: { ids: string[]; isRetry: boolean } | undefined;
  /** How many refused documents the next pull may offer. */
  #retryMax = 0;
  readonly #shown = new Set<string>();
  readonly #changed = new Subject<void>();
  #subscription: Subscription | undefined;
  #failure: { error: unknown } | undefined;
  #hasEnded = false;
  #lastNumber = 0;

  constructor(options: PullSourceOptions<Doc>) {
    this.#options = options;
  }

  /** Makes RxDB pull once for all changes of one task. */
  readonly resync$: Observable<'RESYNC'> = new Observable((subscriber) =>
    this.#changed.pipe(audit(() => Promise.resolve())).subscribe(() => subscriber.next('RESYNC')),
  );

  /**
   * Returns all changed documents at once, so that RxDB writes them before it pulls again, or some of the refused ones.
   * Rejects after an error of the engine. The next pull subscribes anew.
   */
  async pull(): Promise<ReplicationPullHandlerResult<Doc, GembaCheckpoint>> {
    if (!this.#subscription) await this.#begin();
    this.#throwFailure();
    try {
      return { documents: await this.#nextDocuments(), checkpoint };
    } catch (error) {
      if (!isClosed(error)) throw error;
      this.#end();
      return { documents: [], checkpoint };
    }
  }

  /** Notes that RxDB wrote a document as it was pulled. */
  confirm(id: string): void {
    if (this.#pulled.get(id) === this.#unwritten.get(id)) this.#unwritten.delete(id);
    this.#pulled.delete(id);
    this.#refusedAlone.delete(id);
  }

  /** True after a pull whose documents RxDB did not all write. */
  get hasRefused(): boolean {
    return this.#pulled.size > 0;
  }

  /** Makes RxDB pull the first of the refused documents. Changed documents go before them, in a pull of their own. */
  retry(documentsMax: number): void {
    this.#retryMax = documentsMax;
    this.#changed.next();
  }

  /** Tells what RxDB wrote of the last pull; undefined if it did not pull since. Call it while RxDB does not write. */
  settle(): PullResult | undefined {
    if (!this.#offered) return undefined;
    const { ids, isRetry } = this.#offered;
    this.#offered = undefined;
    const refused = ids.filter((id) => this.#pulled.has(id));
    const written = ids.length - refused.length;
    // A batch of which nothing is written stays in front, where its half is tried next.
    if (written > 0 || ids.length === 1) for (const id of refused) this.#moveToEnd(id);
    if (ids.length === 1) for (const id of refused) this.#refusedAlone.add(id);
    if (this.#retryMax > 0) this.#changed.next();
    return { isRetry, written, refused: refused.length, waiting: this.#pulled.size };
  }

  #moveToEnd(id: string): void {
    const number = this.#unwritten.get(id);
    if (number === undefined) return;
    this.#unwritten.delete(id);
    this.#unwritten.set(id, number);
  }

  async #nextDocuments(): Promise<WithDeleted<Doc>[]> {
    let documents = await this.#offer(this.#unwrittenIds({ areRefused: false }), false);
    if (documents.length > 0) return documents;
    const retryMax = this.#retryMax;
    this.#retryMax = 0;
    const refused = retryMax > 0 ? this.#unwrittenIds({ areRefused: true }) : [];
    const wasAlone = (id: string) => this.#refusedAlone.has(id);
    let ids = [...refused.filter((id) => !wasAlone(id)), ...refused.filter(wasAlone)];
    // Documents that another tab wrote meanwhile are dropped, and the next ones are tried.
    while (documents.length === 0 && ids.length > 0) {
      documents = await this.#offer(ids.slice(0, retryMax), true);
      ids = ids.slice(retryMax);
    }
    return documents;
  }

  #unwrittenIds({ areRefused }: { areRefused: boolean }): string[] {
    const isRefused = ([id, number]: [string, number]) => this.#pulled.get(id) === number;
    return [...this.#unwritten].filter((entry) => isRefused(entry) === areRefused).map(([id]) => id);
  }

  /** Returns the documents to write, and drops those that the collection has. */
  async #offer(ids: readonly string[], isRetry: boolean): Promise<WithDeleted<Doc>[]> {
    if (this.#hasEnded) return [];
    const unsureIds = ids.filter((id) => !this.#shown.has(id) || this.#pulled.has(id));
    const stored = await this.#options.collection.findByIds(unsureIds).exec();
    const documents: WithDeleted<Doc>[] = [];
    for (const id of ids) {
      const number = this.#unwritten.get(id);
      if (number === undefined) continue;
      const before = stored.get(id)?.toJSON() as Doc | undefined;
      const now = this.#documentOf(id);
      const latest = now ?? before;
      if (!latest || deepEqual(now, before)) this.#drop(id);
      else {
        this.#pulled.set(id, number);
        documents.push({ ...latest, _deleted: !now });
      }
    }
    if (documents.length > 0) this.#offered = { ids: documents.map(({ id }) => id), isRetry };
    return documents;
  }

  #drop(id: string): void {
    this.#unwritten.delete(id);
    this.#pulled.delete(id);
    this.#refusedAlone.delete(id);
  }

  stop(): void {
    this.#hasEnded = true;
    this.#subscription?.unsubscribe();
  }

  #throwFailure(): void {
    if (!this.#failure) return;
    const { error } = this.#failure;
    this.#failure = undefined;
    this.#subscription = undefined;
    throw error;
  }

  /** Numbers the documents that differ from what the collection has, and follows the engine from there. */
  async #begin(): Promise<void> {
    const { records, collection } = this.#options;
    const stored = new Map((await collection.find().exec()).map((doc) => [doc.primary, doc.toJSON() as Doc]));
    if (this.#hasEnded) return;
    let isBegun = false;
    const isStored = ({ id, record }: RecordChange): boolean => {
      const doc = stored.get(id);
      return doc !== undefined && record !== undefined && deepEqual(records.recordOf(doc), this.#toStore(record));
    };
    this.#shown.clear();
    this.#subscription = records.changes$.subscribe({
      next: (change) => {
        if (change.record) this.#shown.add(change.id);
        else this.#shown.delete(change.id);
        if (isBegun || !isStored(change)) this.#number(change.id);
      },
      error: (error: unknown) => {
        if (isClosed(error)) return this.#end();
        this.#failure = { error };
        this.#changed.next();
      },
      complete: () => this.#end(),
    });
    isBegun = true;
    if (this.#hasEnded) return;
    for (const id of stored.keys()) if (!this.#shown.has(id)) this.#number(id);
  }

  #end(): void {
    this.#hasEnded = true;
    this.#options.onClosed();
  }

  #number(id: string): void {
    this.#unwritten.set(id, ++this.#lastNumber);
    this.#refusedAlone.delete(id);
    this.#changed.next();
  }

  #documentOf(id: string): Doc | undefined {
    const doc = this.#shown.has(id) ? this.#options.records.documentOf(id) : undefined;
    return doc && this.#toStore(doc);
  }

  /**
   * Copies what the schema of the collection has, without fields of a newer server. It is a copy since the engine's own
   * objects must not be in the hands of the app.
   */
  #toStore<Fields extends object>(fields: Fields): Fields {
    const { properties } = this.#options.collection.schema.jsonSchema;
    const known = Object.entries(fields).filter(([name]) => name in properties);
    return JSON.parse(JSON.stringify(Object.fromEntries(known))) as Fields;
  }
}

/** An engine that is closing ends the observables that it has, and fails those that are subscribed to meanwhile. */
const isClosed = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'closed';
