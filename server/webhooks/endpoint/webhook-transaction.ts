/** Changes the endpoints of an account under its lock. */
import { assert } from '../../../shared/domain/assert.ts';
import type { RestReply } from '../../core/reply.ts';
import type { World } from '../../core/world.ts';
import { runAccountTransaction } from '../../mutate/account-transaction.ts';
import { idempotentUnit, type IdempotencyKey } from '../../mutate/idempotent-unit.ts';
import { withTokenCheck, type AccountWriter } from '../../mutate/token-check.ts';
import { emptyReadSet } from '../../mutate/working-set/read-set.ts';
import type { Store } from '../../store/store.ts';
import type { WebhookRow } from '../../store/webhooks/webhook-row.ts';

/** The endpoints that one transaction loaded, with the changes that it makes to them. */
export class WebhookWorkingSet {
  /** The account's version. A new endpoint gets only events with a higher version. */
  readonly accountVersion: number;
  readonly #loaded: readonly WebhookRow[];
  readonly #put: WebhookRow[] = [];
  readonly #removed: string[] = [];
  /** The endpoints that this transaction disables. Each gets an event `webhook.disabled`. */
  readonly disabledIds: string[] = [];

  constructor(loaded: readonly WebhookRow[], accountVersion: number) {
    this.#loaded = loaded;
    this.accountVersion = accountVersion;
  }

  get count(): number {
    return this.#loaded.length;
  }

  get(id: string): WebhookRow | undefined {
    return this.#loaded.find((webhook) => webhook.id === id);
  }

  put(webhook: WebhookRow): void {
    if (webhook.disabled_reason !== null && this.get(webhook.id)?.disabled_reason === null) {
      this.disabledIds.push(webhook.id);
    }
    this.#put.push(webhook);
  }

  remove(id: string): void {
    this.#removed.push(id);
  }

  writes(): { put: WebhookRow[]; removed: string[] } | undefined {
    return this.#put.length + this.#removed.length > 0 ? { put: this.#put, removed: this.#removed } : undefined;
  }
}

interface WebhookChange {
  idempotency?: IdempotencyKey | undefined;
  /** Must be pure, since the store may run `decide` again after a conflict. */
  decide(webhooks: WebhookWorkingSet, now: string): RestReply;
}

export function runWebhookTransaction(
  services: { store: Store; world: World },
  writer: AccountWriter & { tokenHash: string },
  { idempotency, decide }: WebhookChange,
): Promise<RestReply> {
  const idempotencyKeys = idempotency ? [idempotency.key] : [];
  const readSet = { idempotencyKeys, tokenHashes: [writer.tokenHash], webhooks: true };
  return runAccountTransaction(services, { ...writer, readSet }, (set, loaded, now) => {
    assert(loaded.webhooks, 'the read set has webhooks');
    const webhooks = new WebhookWorkingSet(loaded.webhooks, loaded.account.version);
    const unit = { readSet: emptyReadSet(), run: () => decide(webhooks, now) };
    const result = withTokenCheck(writer, idempotentUnit({ idempotency, unit })).run(set, now);
    const events = webhooks.disabledIds.map((subjectId) => ({ type: 'webhook.disabled' as const, subjectId }));
    const changed = webhooks.writes();
    return { result, events, rows: changed ? { webhooks: changed } : {} };
  });
}
