/**
 * The server of a fleet: the real one on an embedded database, called in this process. It can be killed and restored
 * from a backup between two requests, and notes each push that took effect.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openServer, type RunningServer } from '../../../server/app.ts';
import { createHttpApp } from '../../../server/http/http-app.ts';
import { createAccount } from '../../../server/auth/new-account.ts';
import { backUpDatabase } from '../../../server/store/sqlite/backup.ts';
import { restoreDatabase } from '../../../server/store/sqlite/restore.ts';
import type { RateLimits } from '../../../server/store/limits/rate-limits.ts';
import { askApp, type AppRequest } from './in-process.ts';
import type { FleetTime } from './time.ts';

/** A file system in memory is faster, and the simulation does not test the disk. */
const folderRoot = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** The simulated clock does not drive the rate limits, so they are off. */
const noLimits: RateLimits = {
  limit: { requests: 1_000_000, secs: 60 },
  count: () => Promise.resolve({ ok: true, remaining: 1_000_000, resetSecs: 60 }),
  refund: () => {},
  close: () => Promise.resolve(),
};

export class FleetServer {
  readonly bugs: string[] = [];
  readonly #time: FleetTime;
  readonly #root: string;
  #folders = 0;
  #dataDir: string;
  #running: RunningServer | undefined;
  #app: RequestListener | undefined;
  /** Requests without an answer so far, even if no caller waits for it. */
  readonly #asked = new Set<Promise<Response>>();

  private constructor(time: FleetTime, root: string) {
    this.#time = time;
    this.#root = root;
    this.#dataDir = this.#newFolder();
  }

  static async open(time: FleetTime): Promise<FleetServer> {
    const server = new FleetServer(time, await mkdtemp(join(folderRoot, 'gemba-fleet-')));
    await server.#start();
    return server;
  }

  async remove(): Promise<void> {
    await this.#running?.close();
    await rm(this.#root, { recursive: true, force: true });
  }

  async newAccount(plan: 'free' | 'team'): Promise<string> {
    return (await createAccount(this.#expectRunning(), { name: 'Fleet', plan })).api_key;
  }

  async ask(request: AppRequest): Promise<Response> {
    if (!this.#app) throw new TypeError('the server is down');
    const answering = askApp(this.#app, request);
    this.#asked.add(answering);
    const response = await answering.finally(() => this.#asked.delete(answering));
    response.headers.set('Date', new Date(this.#time.now()).toUTCString());
    return response;
  }

  async restart(): Promise<void> {
    await this.#stop();
    await this.#start();
  }

  async backUp(): Promise<string> {
    const folder = this.#newFolder();
    const outcome = await backUpDatabase(this.#dataDir, folder);
    if (!outcome.ok) throw new Error(outcome.problem);
    return folder;
  }

  async restore(backup: string): Promise<void> {
    await this.#stop();
    this.#dataDir = this.#newFolder();
    const outcome = await restoreDatabase({ from: backup, dataDir: this.#dataDir, now: new Date(this.#time.now()) });
    if (!outcome.ok) throw new Error(outcome.problem);
    await this.#start();
  }

  async #start(): Promise<void> {
    const onBug = (error: unknown) => void this.bugs.push(String(error));
    const running = await openServer({
      dataDir: this.#dataDir,
      port: 0,
      host: '127.0.0.1',
      clock: this.#time.now,
      onBug,
    });
    const services = { ...running.services, limits: noLimits };
    this.#running = running;
    this.#app = createHttpApp({ services, adminToken: undefined, onBug });
  }

  async #stop(): Promise<void> {
    this.#app = undefined;
    await Promise.allSettled(this.#asked);
    await this.#running?.close();
  }

  #expectRunning(): RunningServer {
    if (!this.#running) throw new Error('the server is not open');
    return this.#running;
  }

  #newFolder(): string {
    return join(this.#root, String(++this.#folders));
  }
}
