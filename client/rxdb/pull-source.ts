/**
 * Answers RxDB's pulls with the engine's records. The first pull compares the engine with the collection, so that RxDB
 * writes only the differences. A document counts as unwritten until RxDB has written its latest change.
 */
import { Observable, Subject, type Subscription } from 'rxjs';
import { audit } from 'rxjs/operators';
import type { ReplicationPullHandlerResult, RxCollection, WithDeleted } from 'rxdb';
import { deepEqual } from 'rxdb/plugins/utils';
import type { Identified, RecordChange, Records } from './records.ts';
import type { PullResult } from './retry-schedule.ts';

/** A checkpoint is empty, since RxDB would move it even past documents that the collection's storage refused. */
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
  /** The documents that RxDB must still write, each with the number of its latest change. */
  readonly #unwritten = new Map<string, number>();
  /** The unwritten documents that RxDB has pulled, each with the number of the change that RxDB pulled. */
  readonly #pulled = new Map<string, number>();
  /**
   * The documents that the storage refused although the pull had no other document. A retry offers these documents
   * after the other refused documents.
   */
  readonly #refusedAlone = new Set<string>();
  /** The documents of the last pull; undefined after `settle`. */
  #offered: { ids: string[]; isRetry: boolean } | undefined;
  /** How many refused documents the next pull may offer to RxDB. */
  #retryMax = 0;
  /** The ids of the documents that the engine shows. */
  readonly #shown = new Set<string>();
  readonly #changed = new Subject<void>();
  #subscription: Subscription | undefined;
  #failure: { error: unknown } | undefined;
  #hasEnded = false;
  /** The number of the latest change of any document. Each change gets the next number. */
  #lastNumber = 0;

  constructor(options: PullSourceOptions<Doc>) {
    this.#options = options;
  }

  /** Makes RxDB pull, once for all changes of one task. */
  readonly resync$: Observable<'RESYNC'> = new Observable((subscriber) =>
    this.#changed.pipe(audit(() => Promise.resolve())).subscribe(() => subscriber.next('RESYNC')),
  );

  /**
   * Returns all changed documents; if there are none, some refused documents. Returns them at once, so that RxDB writes
   * them before the next pull. Rejects after an error of the engine; the next pull then subscribes again.
   */
  async pull(): Promise<ReplicationPullHandlerResult<Doc, GembaCheckpoint>> {
    if (!this.#subscription) await this.#begin();
    this.#throwFailure();
    try {
      return { documents: await this.#nextDocuments(), checkpoint };
    } catch (error) {
      if (!isClosedError(error)) throw error;
      this.#end();
      return { documents: [], checkpoint };
    }
  }

  /** Must be called when RxDB has written a document as it was pulled. */
  confirm(id: string): void {
    if (this.#pulled.get(id) === this.#unwritten.get(id)) this.#unwritten.delete(id);
    this.#pulled.delete(id);
    this.#refusedAlone.delete(id);
  }

  /** True if RxDB did not write all documents that it pulled. */
  get hasRefused(): boolean {
    return this.#pulled.size > 0;
  }

  /** Makes RxDB pull up to `documentsMax` refused documents. Changed documents come first, in a pull of their own. */
  retry(documentsMax: number): void {
    this.#retryMax = documentsMax;
    this.#changed.next();
  }

  /**
   * Returns how many documents of the last pull RxDB wrote; undefined if RxDB has not pulled since the last call. Must
   * be called while RxDB is not writing.
   */
  settle(): PullResult | undefined {
    if (!this.#offered) return undefined;
    const { ids, isRetry } = this.#offered;
    this.#offered = undefined;
    const refused = ids.filter((id) => this.#pulled.has(id));
    const written = ids.length - refused.length;
    // If nothing of a batch was written, the batch stays in front, where the next retry tries half of it.
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
    // Offers the next documents if `#offer` returns none. `#offer` drops documents that another tab has written.
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

  /** Returns the documents that RxDB must write, without the documents that the collection already has. */
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

  /** Numbers the documents that differ from the collection, and follows the engine's changes from then on. */
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
        if (isClosedError(error)) return this.#end();
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
   * Copies the fields that the collection's schema has; a newer server may send others. The app gets a copy, so that it
   * cannot change the engine's own objects.
   */
  #toStore<Fields extends object>(fields: Fields): Fields {
    const { properties } = this.#options.collection.schema.jsonSchema;
    const known = Object.entries(fields).filter(([name]) => name in properties);
    return JSON.parse(JSON.stringify(Object.fromEntries(known))) as Fields;
  }
}

/** True for the error `closed`. A closing engine ends its observables, and new subscriptions fail with this error. */
const isClosedError = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'closed';
