/** Records the events of a simulation, a line each: the virtual time, who, and what happened. */
import { createHash } from 'node:crypto';
import type { VirtualTime } from './virtual-time.ts';

export class Trace {
  readonly lines: string[] = [];
  readonly #time: VirtualTime;

  constructor(time: VirtualTime) {
    this.#time = time;
  }

  add(actor: string, event: string): void {
    this.lines.push(`${clockOf(this.#time.elapsedMs)} ${actor.padEnd(8)} ${event}`);
  }
}

/** A short name of a content, by which two traces show that they differ. */
export const fingerprint = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex').slice(0, 6);

function clockOf(ms: number): string {
  const time = new Date(ms).toISOString().slice(11, 23);
  return `${Math.floor(ms / 86_400_000)}d ${time}`;
}
