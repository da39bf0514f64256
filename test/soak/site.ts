/** The site of a soak: real server processes, to which the devices sync, and what may happen to them. */
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import type { ServerProcess } from '../contract/server-process.ts';
import { randomBelow, type Random } from '../random.ts';

export interface Site {
  /** The addresses of the server processes, which stay. */
  urls: readonly string[];
  /** The API key of the account that all devices belong to. */
  key: string;
  /** Each resolves when its fault is over and everything runs again. */
  faults: Record<string, () => Promise<void>>;
  /** Expects that no process ended unless it was killed. */
  expectAlive(): void;
}

const downMsMax = 1_500;
const frozenMsMax = 4_000;

/** A server process at one address, and the faults of any server process. */
export class RestartedServer {
  readonly #start: () => ServerProcess;
  readonly #random: Random;
  #process: ServerProcess;
  kills = 0;

  constructor(start: () => ServerProcess, random: Random) {
    this.#start = start;
    this.#random = random;
    this.#process = start();
  }

  get process(): ServerProcess {
    return this.#process;
  }

  untilListening = (): Promise<unknown> => this.#process.until(/listening on \S+\n/);

  async kill(): Promise<void> {
    this.kills++;
    this.#process.child.kill('SIGKILL');
    await this.#process.ended;
  }

  async start(): Promise<void> {
    this.#process = this.#start();
    await this.untilListening();
  }

  killAndStart = async (): Promise<void> => {
    await this.kill();
    await delay(randomBelow(this.#random, downMsMax));
    await this.start();
  };

  freeze = async (): Promise<void> => {
    const { child } = this.#process;
    child.kill('SIGSTOP');
    await delay(randomBelow(this.#random, frozenMsMax));
    child.kill('SIGCONT');
  };

  expectAlive(): void {
    const { child, printed } = this.#process;
    expect({ exitCode: child.exitCode, signal: child.signalCode, printed: printed() }).toMatchObject({
      exitCode: null,
      signal: null,
    });
  }
}
