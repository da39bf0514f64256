/** A mirror for devices in Node: the log of the browser's one, in a folder or in memory. */
import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Mirror } from '../../client/client.ts';
import { MirrorLog, type LogFile } from '../../client/store/mirror/log.ts';

export function folderMirror(folder: string): Mirror {
  return mirrorOf(() => [diskFile(join(folder, 'a.log')), diskFile(join(folder, 'b.log'))]);
}

export function mirrorOf(files: () => [LogFile, LogFile]): Mirror {
  const log = () => new MirrorLog(files());
  return {
    exists: () => Promise.resolve(log().rows.size > 0),
    write: async (changes) => log().write(changes),
    exchange: async (decide) => {
      const held = log();
      held.write(await decide(held.rows));
    },
    giveUp: () => {},
  };
}

export function diskFile(path: string): LogFile {
  const open = <Result>(work: (file: number) => Result): Result => {
    const file = openSync(path, 'a+');
    closeSync(file);
    const writable = openSync(path, 'r+');
    try {
      return work(writable);
    } finally {
      closeSync(writable);
    }
  };
  return {
    read: () => open(() => readFileSync(path)),
    write: (bytes, at) => open((file) => void writeSync(file, bytes, 0, bytes.length, at)),
    flush: () => open((file) => fsyncSync(file)),
    empty: () => open((file) => ftruncateSync(file)),
  };
}
