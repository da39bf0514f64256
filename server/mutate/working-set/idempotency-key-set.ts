/** The idempotency keys that one transaction has loaded, and the new keys that the transaction will write. */
import { assert } from '../../../shared/domain/assert.ts';
import type { AccountLimits } from '../../store/account-limits.ts';
import {
  checkIdempotencyCapacity,
  type IdempotencyCapacityOutcome,
  type IdempotencyKeySpan,
} from '../../store/idempotency-lifetime.ts';
import type { IdempotentReply, LoadedRows, ReadSet, RecordWrites } from '../../store/transaction.ts';

type NewIdempotentReply = Omit<IdempotentReply, 'keys_before' | 'bytes_before'>;

export class IdempotencyKeySet {
  readonly #replyByKey: Map<string, IdempotentReply>;
  readonly #read: ReadonlySet<string>;
  readonly #limits: AccountLimits;
  readonly #span: IdempotencyKeySpan | undefined;
  readonly #counters: { keys_made: number; key_bytes_made: number };
  readonly #added: IdempotentReply[] = [];
  #deletedBefore: string | undefined;

  constructor(
    { account, idempotentReplies, idempotencySpan }: LoadedRows,
    { idempotencyKeys }: ReadSet,
    limits: AccountLimits,
  ) {
    this.#read = new Set(idempotencyKeys);
    this.#limits = limits;
    this.#replyByKey = new Map(idempotentReplies.map((reply) => [reply.key, reply]));
    this.#span = idempotencySpan;
    this.#counters = { keys_made: account.keys_made, key_bytes_made: account.key_bytes_made };
  }

  get(key: string): IdempotentReply | undefined {
    assert(this.#read.has(key), 'the idempotency key is in the read set');
    return this.#replyByKey.get(key);
  }

  /** Returns whether the account may add one more idempotency key, and before which time stored keys are deleted. */
  checkCapacity(now: string): IdempotencyCapacityOutcome {
    return checkIdempotencyCapacity({ span: this.#span, counters: this.#counters, limits: this.#limits, now });
  }

  remember(reply: NewIdempotentReply): void {
    const { keys_made, key_bytes_made } = this.#counters;
    const remembered = { ...reply, keys_before: keys_made, bytes_before: key_bytes_made };
    const capacity = this.checkCapacity(reply.created_at);
    if (capacity.ok) this.#deletedBefore = capacity.deletedBefore;
    this.#counters.keys_made += 1;
    this.#counters.key_bytes_made += Buffer.byteLength(JSON.stringify(reply.body ?? null));
    this.#replyByKey.set(reply.key, remembered);
    this.#added.push(remembered);
  }

  counters(): { keys_made: number; key_bytes_made: number } {
    return { ...this.#counters };
  }

  writes(): Pick<RecordWrites, 'idempotentReplies' | 'idempotencyDeletedBefore'> {
    const idempotentReplies = this.#added;
    return this.#deletedBefore === undefined
      ? { idempotentReplies }
      : { idempotentReplies, idempotencyDeletedBefore: this.#deletedBefore };
  }
}
