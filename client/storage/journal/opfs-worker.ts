/**
 * Writes the journal's files in a worker, since only workers may use synchronous file handles, the fastest way to
 * write. A Web Lock lets the worker of one tab at a time open the files. The worker keeps them open until the worker of
 * another tab needs them, because opening costs more than writing a tap.
 */
import { assert } from '../../../shared/domain/assert.ts';
import { mutex } from '../../core/mutex.ts';
import { JournalLog, logFileNames, type LogFile } from './log.ts';
import type { JournalRows, JournalWrite } from './mirror.ts';

/** A `read` must be followed by a `write`. Between them, the worker keeps the files from other tabs. */
export type WorkerRequest = { id: number } & ({ read: true } | { write: JournalWrite } | { roomBytes: number });
export interface SuccessfulResponse {
  id: number;
  rows?: JournalRows;
  hasRoom?: boolean;
}
export type WorkerResponse = SuccessfulResponse | { id: number; error: string };

/** The synchronous file handles of workers, which TypeScript's DOM library does not declare. */
interface AccessHandle {
  getSize(): number;
  read(into: Uint8Array, options: { at: number }): number;
  write(bytes: Uint8Array, options: { at: number }): number;
  truncate(size: number): void;
  flush(): void;
  close(): void;
}
interface AccessHandleSource {
  createSyncAccessHandle(): Promise<AccessHandle>;
}

interface OpenLog {
  log: JournalLog;
  folder: FileSystemDirectoryHandle;
  handles: AccessHandle[];
  /**
   * The file that `hasRoom` grows. The worker opens the file in advance, since the start of a recording waits for the
   * test for free space.
   */
  spaceTestFile: Promise<AccessHandle>;
  release: () => void;
}

const deviceFolder = self.name;
const lockName = `gemba:${deviceFolder}:mirror`;
const runInTurn = mutex();
const otherWorkers = new BroadcastChannel(lockName);
let currentLog: OpenLog | undefined;
let isAwaitingWrite = false;
let mustRelease = false;

self.addEventListener('message', ({ data }: MessageEvent<WorkerRequest>) => {
  void runInTurn(async () => {
    self.postMessage(await respondTo(data));
    if (mustRelease && !isAwaitingWrite) releaseFiles();
  });
});

otherWorkers.addEventListener('message', () => {
  mustRelease = true;
  void runInTurn(async () => {
    if (!isAwaitingWrite) releaseFiles();
  });
});

// Do not create the files yet, so that `Mirror.exists` can tell that the journal was never written.
void runInTurn(async () => {
  currentLog = await openFiles({ create: false }).catch(() => undefined);
  if (mustRelease) releaseFiles();
});

async function respondTo(request: WorkerRequest): Promise<WorkerResponse> {
  try {
    currentLog ??= await openFiles({ create: true });
    const { log } = currentLog;
    if ('roomBytes' in request) return { id: request.id, hasRoom: await hasRoom(currentLog, request.roomBytes) };
    isAwaitingWrite = 'read' in request;
    if ('read' in request) return { id: request.id, rows: log.rows };
    log.write(request.write);
    return { id: request.id };
  } catch (error) {
    isAwaitingWrite = false;
    releaseFiles();
    return { id: request.id, error: String(error) };
  }
}

async function openFiles(options: { create: boolean }): Promise<OpenLog> {
  const release = await acquireLock();
  const handles: AccessHandle[] = [];
  try {
    const root = await navigator.storage.getDirectory();
    const folder = await (await root.getDirectoryHandle('gemba', options)).getDirectoryHandle(deviceFolder, options);
    const files = await Promise.all(logFileNames.map((name) => folder.getFileHandle(name, options)));
    for (const file of files) handles.push(await openHandle(file));
    const [first, second] = handles.map(toLogFile);
    assert(first && second, 'the log has two files');
    return { log: new JournalLog([first, second]), folder, handles, spaceTestFile: openSpaceTestFile(folder), release };
  } catch (error) {
    for (const handle of handles) handle.close();
    release();
    throw error;
  }
}

const openHandle = (file: FileSystemFileHandle): Promise<AccessHandle> =>
  (file as unknown as AccessHandleSource).createSyncAccessHandle();

function openSpaceTestFile(folder: FileSystemDirectoryHandle): Promise<AccessHandle> {
  const file = folder.getFileHandle('room', { create: true }).then(openHandle);
  // `hasRoom` reports the error, so it is ignored here.
  file.catch(() => undefined);
  return file;
}

/**
 * Tests for free space by growing an empty file, which the browser refuses beyond the quota that it grants. Growing
 * writes no data. The lock of the log keeps other tabs from the file.
 */
async function hasRoom(current: OpenLog, bytes: number): Promise<boolean> {
  let file: AccessHandle | undefined;
  try {
    file = await current.spaceTestFile;
    file.truncate(bytes);
    return true;
  } catch (error) {
    // If the file was opened, it could not grow, so space is missing. Else only a QuotaExceededError shows that.
    if (file || (error instanceof DOMException && error.name === 'QuotaExceededError')) return false;
    throw error;
  } finally {
    file?.truncate(0);
    // The browser releases the granted quota only when the file is closed.
    file?.close();
    current.spaceTestFile = openSpaceTestFile(current.folder);
  }
}

/** Waits for the lock. Resolves with a function that releases the lock. */
function acquireLock(): Promise<() => void> {
  otherWorkers.postMessage('wanted');
  return new Promise((resolve, reject) => {
    navigator.locks.request(lockName, () => new Promise<void>((release) => resolve(release))).catch(reject);
  });
}

function releaseFiles(): void {
  mustRelease = false;
  if (!currentLog) return;
  const { handles, spaceTestFile, release } = currentLog;
  currentLog = undefined;
  for (const handle of handles) handle.close();
  void spaceTestFile.then((handle) => handle.close()).then(release, release);
}

function toLogFile(handle: AccessHandle): LogFile {
  return {
    read: () => {
      const bytes = new Uint8Array(handle.getSize());
      handle.read(bytes, { at: 0 });
      return bytes;
    },
    write: (bytes, at) => {
      if (handle.write(bytes, { at }) === bytes.length) return;
      handle.truncate(at);
      throw new Error('there was no room for the whole line');
    },
    flush: () => handle.flush(),
    empty: () => handle.truncate(0),
  };
}
