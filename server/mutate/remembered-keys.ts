/** The idempotency keys that one transaction loaded, and the new ones that it will store. */
import { assert } from '../../shared/domain/assert.ts';
import type { AccountLimits } from '../store/account-limits.ts';
import { keyRoom, type KeyRoom, type KeySpan } from '../store/idempotency-lifetime.ts';
import type { IdempotentAnswer, Loaded, ReadSet, Writes } from '../store/transaction.ts';

type NewAnswer = Omit<IdempotentAnswer, 'keys_before' | 'bytes_before'>;

export class RememberedKeys {
  readonly #known: Map<string, IdempotentAnswer>;
  readonly #read: ReadonlySet<string>;
  readonly #limits: AccountLimits;
  readonly #span: KeySpan | undefined;
  readonly #made: { keys_made: number; key_bytes_made: number };
  readonly #new: IdempotentAnswer[] = [];
  #forgottenBefore: string | undefined;

  constructor({ account, idempotentAnswers, keySpan }: Loaded, { idempotencyKeys }: ReadSet, limits: AccountLimits) {
    this.#read = new Set(idempotencyKeys);
    this.#limits = limits;
    this.#known = new Map(idempotentAnswers.map((answer) => [answer.key, answer]));
    this.#span = keySpan;
    this.#made = { keys_made: account.keys_made, key_bytes_made: account.key_bytes_made };
  }

  get(key: string): IdempotentAnswer | undefined {
    assert(this.#read.has(key), 'the idempotency key is in the read set');
    return this.#known.get(key);
  }

  room(now: string): KeyRoom {
    return keyRoom({ span: this.#span, made: this.#made, limits: this.#limits, now });
  }

  remember(answer: NewAnswer): void {
    const { keys_made, key_bytes_made } = this.#made;
    const remembered = { ...answer, keys_before: keys_made, bytes_before: key_bytes_made };
    const room = this.room(answer.created_at);
    if (room.ok) this.#forgottenBefore = room.forgottenBefore;
    this.#made.keys_made += 1;
    this.#made.key_bytes_made += Buffer.byteLength(JSON.stringify(answer.body ?? null));
    this.#known.set(answer.key, remembered);
    this.#new.push(remembered);
  }

  counters(): { keys_made: number; key_bytes_made: number } {
    return { ...this.#made };
  }

  writes(): Pick<Writes, 'idempotentAnswers' | 'keysForgottenBefore'> {
    const idempotentAnswers = this.#new;
    return this.#forgottenBefore === undefined
      ? { idempotentAnswers }
      : { idempotentAnswers, keysForgottenBefore: this.#forgottenBefore };
  }
}
