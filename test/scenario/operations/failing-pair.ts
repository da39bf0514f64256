/** Two server processes on one PostgreSQL, and a caller that turns to the other process when one is gone. */
import { randomUUID } from 'node:crypto';
import { Api, type Received, type SendHeaders } from '../../contract/fixture.ts';
import { startServerProcess, type ServerProcess } from '../../contract/server-process.ts';

export const operatorToken = 'the-operators-token';

export interface RunningProcess extends ServerProcess {
  url: string;
}

export async function startServerOn(
  databaseUrl: string,
  environment: Record<string, string> = {},
): Promise<RunningProcess> {
  const server = startServerProcess({
    DATABASE_URL: databaseUrl,
    GEMBA_ADMIN_TOKEN: operatorToken,
    // The rate limit is not under test.
    GEMBA_RATE_LIMIT: '1000000/60',
    LOG_LEVEL: 'error',
    ...environment,
  });
  const [, url] = await server.until(/listening on (\S+)\n/);
  return { ...server, url: url! };
}

export async function createAccountOn(url: string): Promise<Api> {
  const operator = new Api({ url, key: operatorToken, accountId: '' });
  const { status, body } = await operator.post('/api/v1/admin/accounts', { name: 'Works', plan: 'team' });
  if (status !== 201) throw new Error(`no account: ${status}`);
  return new Api({ url, key: body.api_key, accountId: body.account.id });
}

/** Each try may meet a process that is gone, or one that loses its database connection. */
const triesMaxDefault = 50;

export interface FailoverApiOptions {
  /** Changes in place when a process is killed and replaced. */
  urls: readonly string[];
  key: string;
  /** The process that is asked first. */
  at: number;
  triesMax?: number;
  /** Called with each reply of status 503. Resolves when the call may be repeated. */
  onUnavailable?: (received: Received) => Promise<void>;
}

/** Sends requests to one of the processes, and to another when the first fails. */
export class FailoverApi {
  readonly #options: FailoverApiOptions;
  #at: number;
  retries = 0;

  constructor(options: FailoverApiOptions) {
    this.#options = options;
    this.#at = options.at;
  }

  /** Repeats an idempotent call, each time at the other process, until a process replies with another status than 503. */
  async retryUntilServed(call: (api: Api) => Promise<Received>): Promise<Received> {
    const { urls, key, triesMax = triesMaxDefault, onUnavailable } = this.#options;
    for (let tries = 0; tries < triesMax; tries++) {
      const api = new Api({ url: urls[this.#at]!, key, accountId: '' });
      try {
        const received = await call(api);
        if (received.status !== 503) return received;
        await onUnavailable?.(received);
      } catch (error) {
        // `fetch` rejects with a TypeError, and parsing a cut body with a SyntaxError.
        if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
      }
      this.retries++;
      this.#at = (this.#at + 1) % urls.length;
    }
    throw new Error(`no answer after ${triesMax} tries`);
  }

  /** Sends an idempotency key, so that repeated tries take effect once. */
  post(path: string, body?: unknown): Promise<Received> {
    const headers = newIdempotencyHeader();
    return this.retryUntilServed((api) => api.post(path, body, headers));
  }

  patch(path: string, body: unknown): Promise<Received> {
    const headers = newIdempotencyHeader();
    return this.retryUntilServed((api) => api.patch(path, body, headers));
  }
}

const newIdempotencyHeader = (): SendHeaders => ({ 'Idempotency-Key': randomUUID() });
