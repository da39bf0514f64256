/** The journal for devices in Node: the same log as in browsers, in a folder or in memory. */
import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Mirror } from '../../client/client.ts';
import { mutex } from '../../client/core/mutex.ts';
import { JournalLog, type LogFile } from '../../client/storage/journal/log.ts';

export function folderJournal(folder: string): Mirror {
  return journalOf(() => [diskFile(join(folder, 'a.log')), diskFile(join(folder, 'b.log'))]);
}

export function journalOf(files: () => [LogFile, LogFile]): Mirror {
  const log = () => new JournalLog(files());
  const inTurn = mutex();
  return {
    exists: () => Promise.resolve(log().rows.size > 0),
    write: (changes) => inTurn(async () => log().write({ changes })),
    exchange: (decide) =>
      inTurn(async () => {
        const held = log();
        held.write(await decide(held.rows));
      }),
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
