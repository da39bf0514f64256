/** The idempotency keys that one transaction loaded, and the new ones that it will store. */
import { assert } from '../../shared/domain/assert.ts';
import type { AccountLimits } from '../store/account-limits.ts';
import {
  checkIdempotencyCapacity,
  type IdempotencyCapacity,
  type IdempotencySpan,
} from '../store/idempotency-lifetime.ts';
import type { IdempotentReply, LoadedRows, ReadSet, RecordWrites } from '../store/transaction.ts';

type NewReply = Omit<IdempotentReply, 'keys_before' | 'bytes_before'>;

export class IdempotencyKeySet {
  readonly #known: Map<string, IdempotentReply>;
  readonly #read: ReadonlySet<string>;
  readonly #limits: AccountLimits;
  readonly #span: IdempotencySpan | undefined;
  readonly #made: { keys_made: number; key_bytes_made: number };
  readonly #new: IdempotentReply[] = [];
  #deletedBefore: string | undefined;

  constructor(
    { account, idempotentReplies, idempotencySpan }: LoadedRows,
    { idempotencyKeys }: ReadSet,
    limits: AccountLimits,
  ) {
    this.#read = new Set(idempotencyKeys);
    this.#limits = limits;
    this.#known = new Map(idempotentReplies.map((reply) => [reply.key, reply]));
    this.#span = idempotencySpan;
    this.#made = { keys_made: account.keys_made, key_bytes_made: account.key_bytes_made };
  }

  get(key: string): IdempotentReply | undefined {
    assert(this.#read.has(key), 'the idempotency key is in the read set');
    return this.#known.get(key);
  }

  checkCapacity(now: string): IdempotencyCapacity {
    return checkIdempotencyCapacity({ span: this.#span, counters: this.#made, limits: this.#limits, now });
  }

  remember(reply: NewReply): void {
    const { keys_made, key_bytes_made } = this.#made;
    const remembered = { ...reply, keys_before: keys_made, bytes_before: key_bytes_made };
    const capacity = this.checkCapacity(reply.created_at);
    if (capacity.ok) this.#deletedBefore = capacity.deletedBefore;
    this.#made.keys_made += 1;
    this.#made.key_bytes_made += Buffer.byteLength(JSON.stringify(reply.body ?? null));
    this.#known.set(reply.key, remembered);
    this.#new.push(remembered);
  }

  counters(): { keys_made: number; key_bytes_made: number } {
    return { ...this.#made };
  }

  writes(): Pick<RecordWrites, 'idempotentReplies' | 'idempotencyDeletedBefore'> {
    const idempotentReplies = this.#new;
    return this.#deletedBefore === undefined
      ? { idempotentReplies }
      : { idempotentReplies, idempotencyDeletedBefore: this.#deletedBefore };
  }
}
