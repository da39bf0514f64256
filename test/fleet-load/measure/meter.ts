/** Counts apart for each part of the run: its requests, its time, and what the processes used in it. */
import { cpus } from 'node:os';
import { readUsage, type Usage, type UsageOf } from './process-usage.ts';
import type { Shares } from '../rising-rate.ts';
import { Tally } from './tally.ts';

export interface Part {
  name: string;
  tally: Tally;
  secs: number;
  shares: Shares;
  /** The most at the moments when it was read. */
  serverMib: number;
  postgresMib: number;
}

export class Meter {
  readonly parts: Part[] = [];
  tally = new Tally();
  readonly #of: UsageOf;
  #name = '';
  #startedAt = performance.now();
  #usage: Usage;
  #serverMib = 0;
  #postgresMib = 0;

  constructor(of: UsageOf) {
    this.#of = of;
    this.#usage = readUsage(of);
  }

  /** Ends the part under way, if there is one, and begins another. */
  begin(name: string): void {
    if (name === this.#name) return;
    this.end();
    this.#name = name;
    this.tally = new Tally();
    this.#startedAt = performance.now();
    this.#usage = readUsage(this.#of);
    this.#serverMib = 0;
    this.#postgresMib = 0;
    this.readMemory(this.#usage);
  }

  readMemory(usage = readUsage(this.#of)): void {
    this.#serverMib = Math.max(this.#serverMib, ...usage.serverMib);
    this.#postgresMib = Math.max(this.#postgresMib, usage.postgresMib);
  }

  end(): Part | undefined {
    if (this.#name === '') return undefined;
    const usage = readUsage(this.#of);
    this.readMemory(usage);
    const secs = (performance.now() - this.#startedAt) / 1000;
    const before = this.#usage;
    const share = (after: number, earlier: number) => (after - earlier) / secs;
    const part: Part = {
      name: this.#name,
      tally: this.tally,
      secs,
      shares: {
        servers: usage.servers.map((after, index) => share(after, before.servers[index] ?? Number.NaN)),
        postgres: share(usage.postgres, before.postgres),
        driver: share(usage.driver, before.driver),
        machine: share(usage.machine, before.machine),
        cores: cpus().length,
      },
      serverMib: this.#serverMib,
      postgresMib: this.#postgresMib,
    };
    this.parts.push(part);
    this.#name = '';
    return part;
  }
}
