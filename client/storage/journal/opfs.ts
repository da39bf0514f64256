/** The journal's place in a browser: files in the Origin Private File System, written by a worker. */
import { assert } from '../../../shared/domain/assert.ts';
import { mutex } from '../../core/mutex.ts';
import type { JournalChange, JournalRows, JournalWrite, Mirror } from './mirror.ts';
import type { Answered, Asked } from './opfs-worker.ts';

/** Opens the journal's files; undefined if the browser has no private file system, as in some private windows. */
export async function opfsJournal(deviceName: string): Promise<Mirror | undefined> {
  if (typeof Worker === 'undefined' || !globalThis.navigator?.storage?.getDirectory || !navigator.locks)
    return undefined;
  const folder = encodeURIComponent(deviceName);
  // Starts the worker now, since that takes as long as opening the tables.
  const files = new JournalFiles(folder);
  try {
    return mirrorIn(await navigator.storage.getDirectory(), folder, files);
  } catch {
    files.end();
    return undefined;
  }
}

function mirrorIn(root: FileSystemDirectoryHandle, folder: string, first: JournalFiles): Mirror {
  let files: JournalFiles | undefined = first;
  const open = () => (files ??= new JournalFiles(folder));
  const existed = existsIn(root, folder);
  existed.catch(() => {});
  return {
    exists: () => existed,
    write: (changes) => open().write(changes),
    exchange: (decide) => open().exchange(decide),
    giveUp: () => {
      files?.end();
      files = undefined;
    },
  };
}

async function existsIn(root: FileSystemDirectoryHandle, folder: string): Promise<boolean> {
  try {
    await (await root.getDirectoryHandle('gemba')).getDirectoryHandle(folder);
    return true;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotFoundError') return false;
    throw error;
  }
}

type Request = { read: true } | { write: JournalWrite };

interface Waiting {
  resolve(rows: JournalRows | undefined): void;
  reject(error: Error): void;
}

/** The journal's files, which one worker has open until `end`. */
class JournalFiles {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #inTurn = mutex();
  #asked = 0;
  #ended = false;

  constructor(folder: string) {
    this.#worker = new Worker(new URL('./opfs-worker.ts', import.meta.url), { type: 'module', name: folder });
    this.#worker.addEventListener('message', ({ data }: MessageEvent<Answered>) => {
      const waiting = this.#waiting.get(data.id);
      this.#waiting.delete(data.id);
      if ('error' in data) waiting?.reject(new Error(data.error));
      else waiting?.resolve(data.rows);
    });
    this.#worker.addEventListener('error', () => this.end());
  }

  write(changes: JournalChange[]): Promise<void> {
    return this.#inTurn(async () => void (await this.#ask({ write: { changes } })));
  }

  exchange(decide: (held: JournalRows) => Promise<JournalWrite>): Promise<void> {
    return this.#inTurn(async () => {
      const held = await this.#ask({ read: true });
      assert(held, 'what is read comes with its rows');
      let write: JournalWrite = { changes: [] };
      try {
        write = await decide(held);
      } finally {
        // The worker releases the files to other tabs after this write.
        await this.#ask({ write });
      }
    });
  }

  /** Ends the worker, which also releases its lock. */
  end(): void {
    this.#ended = true;
    this.#worker.terminate();
    for (const { reject } of this.#waiting.values()) reject(ended());
    this.#waiting.clear();
  }

  #ask(request: Request): Promise<JournalRows | undefined> {
    if (this.#ended) return Promise.reject(ended());
    const id = ++this.#asked;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, ...request } satisfies Asked);
    });
  }
}

const ended = () => new Error('the worker of the journal has ended');
