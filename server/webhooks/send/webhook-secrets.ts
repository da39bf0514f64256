import type { World } from '../../core/world.ts';
import type { Store } from '../../store/store.ts';
import type { WebhookRow } from '../../store/webhooks/webhook-row.ts';
import { deriveWebhookSecret } from './signature.ts';

const webhookKeyBytes = 32;

/** Derives the secrets of endpoints from one key in the store. Creates the key if there is none. */
export class WebhookSecrets {
  readonly #store: Store;
  readonly #world: World;
  #key: Promise<Buffer> | undefined;

  constructor({ store, world }: { store: Store; world: World }) {
    this.#store = store;
    this.#world = world;
  }

  /** Returns a function that derives a secret by its generation. */
  async secretDeriver(accountId: string, webhookId: string): Promise<(generation: number) => string> {
    const key = await this.#readKey();
    return (generation) => deriveWebhookSecret(key, { accountId, webhookId, generation });
  }

  /** Returns the secrets that sign now, the newest first. */
  async signingSecrets(accountId: string, webhook: WebhookRow): Promise<string[]> {
    const secretOf = await this.secretDeriver(accountId, webhook.id);
    const now = this.#world.now();
    const old = webhook.old_secrets.filter(({ until }) => Date.parse(until) > now).map(({ generation }) => generation);
    return [webhook.secret_generation, ...old].map(secretOf);
  }

  #readKey(): Promise<Buffer> {
    if (this.#key) return this.#key;
    const made = Buffer.from(this.#world.randomBytes(webhookKeyBytes)).toString('base64url');
    this.#key = this.#store.readOrStoreWebhookKey(made).then((key) => Buffer.from(key, 'base64url'));
    this.#key.catch(() => (this.#key = undefined));
    return this.#key;
  }
}
