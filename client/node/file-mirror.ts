/**
 * Stores the journal (the second copy of unsent work) in two files of a folder. The files have the same format as the
 * journal in a browser.
 */
import {
  closeSync,
  constants,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  statfsSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { mutex } from '../core/mutex.ts';
import { JournalLog, logFileNames, type LogFile } from '../storage/journal/log.ts';
import type { Mirror } from '../storage/journal/mirror.ts';

/** The mirrors of this process by folder. Two logs on the same files would overwrite each other's lines. */
const mirrors = new Map<string, Mirror>();

export function folderMirror(folder: string): Mirror {
  const root = resolve(folder);
  const mirror = mirrors.get(root) ?? createMirror(root);
  mirrors.set(root, mirror);
  return mirror;
}

interface OpenedLog {
  log: JournalLog;
  handles: number[];
}

/** Makes the folder at the first write. */
function createMirror(folder: string): Mirror {
  const paths = logFileNames.map((name) => join(folder, name));
  const inTurn = mutex();
  let current: OpenedLog | undefined;
  const close = () => {
    const handles = current?.handles ?? [];
    current = undefined;
    for (const handle of handles) closeSync(handle);
  };
  /**
   * Runs `work` with the log. Closes the files if `work` fails, so that the next call opens and reads the files again.
   */
  const withLog = (work: (opened: OpenedLog) => Promise<void>): Promise<void> =>
    inTurn(async () => {
      try {
        await work((current ??= openLog(folder, paths)));
      } catch (error) {
        close();
        throw error;
      }
    });
  return {
    exists: async () => paths.some((path) => statSync(path, { throwIfNoEntry: false }) !== undefined),
    write: (changes) => withLog(async ({ log }) => log.write({ changes })),
    exchange: (decide) =>
      withLog(async (opened) => {
        const write = await decide(opened.log.rows);
        if (current !== opened) throw new Error('the exchange was cancelled');
        opened.log.write(write);
      }),
    hasRoom: async (bytes) => {
      const { bavail, bsize } = statfsSync(folder);
      return bavail * bsize >= bytes;
    },
    giveUp: close,
  };
}

const privateFileMode = 0o600;
const privateFolderMode = 0o700;

function openLog(folder: string, paths: string[]): OpenedLog {
  mkdirSync(folder, { recursive: true, mode: privateFolderMode });
  const handles: number[] = [];
  try {
    for (const path of paths) handles.push(openSync(path, constants.O_RDWR | constants.O_CREAT, privateFileMode));
    syncFolder(folder);
    const files = handles.map((handle, index) => toLogFile(handle, paths[index]!));
    return { log: new JournalLog(files as [LogFile, LogFile]), handles };
  } catch (error) {
    for (const handle of handles) closeSync(handle);
    throw error;
  }
}

/** Makes the new files survive a power cut. Does nothing on Windows, which cannot open a folder. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, constants.O_RDONLY);
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function toLogFile(handle: number, path: string): LogFile {
  return {
    read: () => readFileSync(path),
    write: (bytes, at) => {
      if (writeSync(handle, bytes, 0, bytes.length, at) === bytes.length) return;
      ftruncateSync(handle, at);
      throw new Error('there was no room for the whole line');
    },
    flush: () => fsyncSync(handle),
    empty: () => ftruncateSync(handle),
  };
}
