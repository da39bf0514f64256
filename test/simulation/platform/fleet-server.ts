/**
 * The server of a fleet: the real one on the embedded database or on PostgreSQL, called in this process. It dies at any
 * call of its store, and is restored from a backup.
 */
import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccount } from '../../../server/auth/new-account.ts';
import type { World } from '../../../server/core/world.ts';
import { createServerKeys } from '../../../server/relay/server-keys.ts';
import type { Store } from '../../../server/store/store.ts';
import { openStore } from '../../../server/store/open-store.ts';
import { openDatabase } from '../../../server/store/sqlite/database.ts';
import { databaseFileName } from '../../../server/store/sqlite/data-folder.ts';
import { backUpDatabase } from '../../../server/backup/backup.ts';
import { restoreDatabase } from '../../../server/backup/restore.ts';
import { dropDatabase, freshDatabase } from '../../postgres-database.ts';
import { randomBelow, randomOf, type Random } from '../../random.ts';
import { askOlder } from './older-server.ts';
import { askApp, type AppAnswer, type AppRequest } from './in-process.ts';
import { ServerLife } from './server-life.ts';
import type { VirtualTime } from './virtual-time.ts';

/** A file system in memory is faster, and the simulation does not test the disk. */
const folderRoot = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

interface FleetServerOptions {
  time: VirtualTime;
  randomBytes: World['randomBytes'];
  /** A PostgreSQL, in which this server gets a database of its own; the embedded database if absent. */
  postgresUrl?: string | undefined;
  /** How many processes serve the one store; 1 by default. */
  processes?: number;
  onDeath: (point: string) => void;
}

export class FleetServer {
  readonly bugs: string[] = [];
  /** Draws the process that answers a request; each act sets a new generator. */
  random: Random = randomOf(0);
  readonly #world: World;
  readonly #postgresUrl: string | undefined;
  #databaseUrl: string | undefined;
  readonly #onDeath: (point: string) => void;
  readonly #root: string;
  #folders = 0;
  #dataDir: string;
  readonly #processes: number;
  #lives: ServerLife[] = [];
  /** Requests without an answer so far, even if no caller waits for it. */
  readonly #asked = new Set<Promise<AppAnswer>>();

  private constructor({ time, randomBytes, postgresUrl, processes = 1, onDeath }: FleetServerOptions, root: string) {
    this.#world = { now: time.now, randomBytes };
    this.#postgresUrl = postgresUrl;
    this.#processes = processes;
    this.#onDeath = onDeath;
    this.#root = root;
    this.#dataDir = this.#newFolder();
  }

  static async open(options: FleetServerOptions): Promise<FleetServer> {
    const server = new FleetServer(options, await mkdtemp(join(folderRoot, 'gemba-fleet-')));
    // Seeds that repeat, or whose generators overlap, would meet each other's ids in one database.
    if (options.postgresUrl) server.#databaseUrl = await freshDatabase(options.postgresUrl);
    await server.#start();
    // Keys that a device asks for in the history would be made at a time that no seed decides.
    await server.#expectLife().services.serverKeys.publicList();
    return server;
  }

  /** Whether this server can be backed up: PostgreSQL has tools of its own for that. */
  get canRestore(): boolean {
    return this.#databaseUrl === undefined;
  }

  async remove(): Promise<void> {
    await this.#stop();
    if (this.#postgresUrl && this.#databaseUrl) await dropDatabase(this.#postgresUrl, this.#databaseUrl);
    rmSync(this.#root, { recursive: true, force: true });
  }

  /** No process dies by what is read here. */
  get store(): Store {
    return this.#expectLife().store;
  }

  /** Counts the rows of each table of the embedded database; undefined on PostgreSQL. */
  async countRows(): Promise<Record<string, number> | undefined> {
    if (this.#databaseUrl) return undefined;
    const database = await openDatabase(join(this.#dataDir, databaseFileName), {
      busyMsMax: 1_000,
      synchronous: 'OFF',
    });
    try {
      const tables = database.all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'");
      const countOf = (table: string) => database.one<{ rows: number }>(`SELECT count(*) AS rows FROM "${table}"`).rows;
      return Object.fromEntries(tables.map(({ name }) => [name, countOf(name)]));
    } finally {
      database.close();
    }
  }

  async newAccount(plan: 'free' | 'team'): Promise<string> {
    return (await createAccount(this.#expectLife().services, { name: 'Fleet', plan })).api_key;
  }

  /** Whether a request has no answer yet. */
  get isBusy(): boolean {
    return this.#asked.size > 0;
  }

  async ask(request: AppRequest): Promise<AppAnswer> {
    const life = this.#pickLife();
    if (!life || life.isDead) throw new TypeError('the server is down');
    const ask = (asked: AppRequest) => askApp(life.app, asked);
    const answering = life.isOlder ? askOlder(request, ask) : ask(request);
    this.#asked.add(answering);
    const dead = life.died.then(() => {
      this.#asked.delete(answering);
      throw new TypeError('the server died');
    });
    const answer = await Promise.race([answering, dead]);
    this.#asked.delete(answering);
    return { ...answer, headers: [...answer.headers, ['date', new Date(this.#world.now()).toUTCString()]] };
  }

  /** Lets a process die at the call of its store with this number, counted from now. */
  dieAt(point: number): void {
    const life = this.#pickLife();
    if (life) life.dieAt = point;
  }

  /** Makes a process one of another version, as a rollout does. */
  setVersion({ isOlder }: { isOlder: boolean }): void {
    const life = this.#pickLife();
    if (life) life.isOlder = isOlder;
  }

  cancelDeath(): void {
    for (const life of this.#lives) life.dieAt = undefined;
  }

  /** Starts each process again that died. */
  async ensureAlive(): Promise<void> {
    for (const [index, life] of this.#lives.entries()) {
      if (!life.isDead) continue;
      await life.end();
      this.#lives[index] = await this.#startProcess();
    }
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
    const now = new Date(this.#world.now());
    const outcome = await restoreDatabase({ from: backup, dataDir: this.#dataDir, now, world: this.#world });
    if (!outcome.ok) throw new Error(outcome.problem);
    await this.#start();
  }

  async #start(): Promise<void> {
    for (let index = 0; index < this.#processes; index++) this.#lives.push(await this.#startProcess());
  }

  async #startProcess(): Promise<ServerLife> {
    const isNew = !this.#databaseUrl && !existsSync(join(this.#dataDir, databaseFileName));
    if (isNew) await copyTemplate(this.#dataDir);
    const store = await openStore({ databaseUrl: this.#databaseUrl, dataDir: this.#dataDir, world: this.#world });
    // The template has the epoch of another store.
    if (isNew) await store.renewEpoch();
    const onBug = (error: unknown) =>
      void this.bugs.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return new ServerLife({ store, world: this.#world, onBug, onDeath: this.#onDeath });
  }

  /** Waits for the requests under way, which have an answer or died with their process. */
  async #stop(): Promise<void> {
    const lives = this.#lives;
    this.#lives = [];
    if (lives.some(({ isDead }) => !isDead)) await Promise.allSettled(this.#asked);
    for (const life of lives) await life.end();
  }

  /** A balancer in front of the processes, which does not know which of them died. */
  #pickLife(): ServerLife | undefined {
    return this.#lives[randomBelow(this.random, this.#lives.length)];
  }

  #expectLife(): ServerLife {
    const [first] = this.#lives;
    if (!first) throw new Error('the server is not open');
    return first;
  }

  #newFolder(): string {
    return join(this.#root, String(++this.#folders));
  }
}

let template: Promise<string> | undefined;

/** Copies an empty database, since the migrations, and keys that are made on a thread, would take most of a short simulation. */
async function copyTemplate(dataDir: string): Promise<void> {
  template ??= makeTemplate();
  mkdirSync(dataDir, { recursive: true });
  copyFileSync(join(await template, databaseFileName), join(dataDir, databaseFileName));
}

async function makeTemplate(): Promise<string> {
  const folder = await mkdtemp(join(folderRoot, 'gemba-fleet-template-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const world: World = { now: () => 0, randomBytes: (count) => new Uint8Array(count) };
  const store = await openStore({ dataDir: folder, world });
  await createServerKeys({ store, world }).publicList();
  await store.close();
  return folder;
}
