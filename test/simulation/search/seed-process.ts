/** A process that simulates seeds. */
import { spawn, type ChildProcess } from 'node:child_process';
import { programArgs } from '../../programs.ts';
import type { Item, ItemOutcome } from './item.ts';

export class SeedProcess {
  readonly #child: ChildProcess = spawn(
    process.execPath,
    ['--enable-source-maps', ...programArgs('test/simulation/search/worker-process')],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  );

  /** Simulates one item; the process takes one at a time. */
  run(item: Item): Promise<ItemOutcome> {
    return new Promise((resolve, reject) => {
      const onExit = (code: number | null) => reject(new Error(`the process of seed ${item.seed} ended with ${code}`));
      this.#child.once('exit', onExit);
      this.#child.once('message', (reply: ItemOutcome) => {
        this.#child.off('exit', onExit);
        resolve(reply);
      });
      this.#child.send(item);
    });
  }

  end(): void {
    if (this.#child.connected) this.#child.disconnect();
  }
}
