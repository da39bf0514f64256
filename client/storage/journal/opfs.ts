/** Stores the journal in a browser's Origin Private File System, through a worker. */
import { assert } from '../../../shared/domain/assert.ts';
import { mutex } from '../../core/mutex.ts';
import type { JournalChange, JournalRows, JournalWrite, Mirror } from './mirror.ts';
import type { SuccessfulResponse, WorkerResponse, WorkerRequest } from './opfs-worker.ts';

/**
 * Opens the journal's files. Resolves to undefined if the browser has no private file system, as in private windows.
 */
export async function openOpfsJournal(deviceName: string): Promise<Mirror | undefined> {
  if (typeof Worker === 'undefined' || !globalThis.navigator?.storage?.getDirectory || !navigator.locks)
    return undefined;
  const folder = encodeURIComponent(deviceName);
  // Start the worker before any await, since its start takes as long as opening the tables.
  const files = new JournalFiles(folder);
  try {
    return createMirror(await navigator.storage.getDirectory(), folder, files);
  } catch {
    files.end();
    return undefined;
  }
}

function createMirror(root: FileSystemDirectoryHandle, folder: string, first: JournalFiles): Mirror {
  let files: JournalFiles | undefined = first;
  const open = () => (files ??= new JournalFiles(folder));
  const existed = folderExists(root, folder);
  existed.catch(() => {});
  return {
    exists: () => existed,
    write: (changes) => open().write(changes),
    exchange: (decide) => open().exchange(decide),
    hasRoom: (bytes) => open().hasRoom(bytes),
    giveUp: () => {
      files?.end();
      files = undefined;
    },
  };
}

async function folderExists(root: FileSystemDirectoryHandle, folder: string): Promise<boolean> {
  try {
    await (await root.getDirectoryHandle('gemba')).getDirectoryHandle(folder);
    return true;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotFoundError') return false;
    throw error;
  }
}

type RequestContent = { read: true } | { write: JournalWrite } | { roomBytes: number };

interface PendingRequest {
  resolve(response: SuccessfulResponse): void;
  reject(error: Error): void;
}

/** The journal's files. A worker opens and writes them until `end` is called. */
class JournalFiles {
  readonly #worker: Worker;
  readonly #pending = new Map<number, PendingRequest>();
  readonly #runInTurn = mutex();
  #lastId = 0;
  #hasEnded = false;

  constructor(folder: string) {
    this.#worker = new Worker(new URL('./opfs-worker.ts', import.meta.url), { type: 'module', name: folder });
    this.#worker.addEventListener('message', ({ data }: MessageEvent<WorkerResponse>) => {
      const waiting = this.#pending.get(data.id);
      this.#pending.delete(data.id);
      if ('error' in data) waiting?.reject(new Error(data.error));
      else waiting?.resolve(data);
    });
    this.#worker.addEventListener('error', () => this.end());
  }

  write(changes: JournalChange[]): Promise<void> {
    return this.#runInTurn(async () => void (await this.#request({ write: { changes } })));
  }

  exchange(decide: (journalRows: JournalRows) => Promise<JournalWrite>): Promise<void> {
    return this.#runInTurn(async () => {
      const { rows: journalRows } = await this.#request({ read: true });
      assert(journalRows, 'the response to a read has rows');
      let write: JournalWrite = { changes: [] };
      try {
        write = await decide(journalRows);
      } finally {
        // Write even if `decide` failed, since the worker keeps the files from other tabs until this write.
        await this.#request({ write });
      }
    });
  }

  hasRoom(bytes: number): Promise<boolean> {
    return this.#runInTurn(async () => (await this.#request({ roomBytes: bytes })).hasRoom === true);
  }

  /** Ends the worker, and with it the worker's lock on the files. */
  end(): void {
    this.#hasEnded = true;
    this.#worker.terminate();
    for (const { reject } of this.#pending.values()) reject(workerEndedError());
    this.#pending.clear();
  }

  #request(request: RequestContent): Promise<SuccessfulResponse> {
    if (this.#hasEnded) return Promise.reject(workerEndedError());
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#worker.postMessage({ id, ...request } satisfies WorkerRequest);
    });
  }
}

const workerEndedError = () => new Error('the worker of the journal has ended');
