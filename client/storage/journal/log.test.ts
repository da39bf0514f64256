import { expect, test } from 'vitest';
import { JournalLog, type LogFile } from './log.ts';
import type { JournalChange } from './mirror.ts';

/** A disk that can fail: after `writesLeft` writes, each write stores half of its bytes and throws. */
class Disk {
  writesLeft = Infinity;
  readonly files: [LogFile, LogFile] = [this.#file(), this.#file()];

  #file(): LogFile {
    let content = Buffer.alloc(0);
    return {
      read: () => Buffer.from(content),
      write: (bytes, at) => {
        const kept = --this.writesLeft < 0 ? bytes.subarray(0, bytes.length / 2) : bytes;
        content = Buffer.concat([content.subarray(0, at), kept]);
        if (this.writesLeft < 0) throw new Error('crash');
      },
      flush: () => {},
      empty: () => {
        if (--this.writesLeft < 0) throw new Error('crash');
        content = Buffer.alloc(0);
      },
    };
  }

  get bytes(): number {
    return this.files.reduce((sum, file) => sum + file.read().length, 0);
  }
}

const rowsOf = ({ files }: Disk) => Object.fromEntries(new JournalLog(files).rows);

test('[STORAGE-2] a line of the second copy that a crash cut off counts for nothing, and neither what was before nor what follows is lost with it', () => {
  const whole = new Disk();
  new JournalLog(whole.files).write({ changes: [['a', 'first ü']] });
  const before = whole.bytes;
  const second: JournalChange[] = [
    ['a', null],
    ['b', { text: 'second ü\n' }],
  ];
  new JournalLog(whole.files).write({ changes: second });
  const content = whole.files.map((file) => file.read()).find((bytes) => bytes.length > 0)!;
  for (let cut = before; cut <= content.length; cut++) {
    const disk = new Disk();
    disk.files[0].write(content.subarray(0, cut), 0);
    // A cut in the last line loses only that line.
    const stands = cut >= content.length - 1 ? { b: { text: 'second ü\n' } } : { a: 'first ü' };
    expect(rowsOf(disk)).toEqual(stands);
    new JournalLog(disk.files).write({ changes: [['c', 3]] });
    expect(rowsOf(disk)).toEqual({ ...stands, c: 3 });
  }
});

test('[STORAGE-3] [STORAGE-51] the second copy stays as small as what it holds, and a crash while it is written anew loses nothing', () => {
  const bytesMax = 1024 * 1024;
  const text = 'x'.repeat(4_000);
  const change = (number: number): JournalChange[] => [
    [`row ${number}`, text],
    [`row ${number - 10}`, null],
  ];
  const long = new Disk();
  const log = new JournalLog(long.files);
  for (let number = 0; number < 500; number++) {
    log.write({ changes: change(number) });
    expect(long.bytes).toBeLessThan(bytesMax);
  }
  expect(Object.keys(rowsOf(long))).toHaveLength(10);

  let crashes = 0;
  for (let writes = 60; writes < 75; writes++) {
    const disk = new Disk();
    disk.writesLeft = writes;
    const crashing = new JournalLog(disk.files);
    let number = 0;
    try {
      for (; number < 70; number++) crashing.write({ changes: change(number) });
    } catch {
      crashes++;
    }
    disk.writesLeft = Infinity;
    const held = Object.keys(rowsOf(disk));
    for (let row = Math.max(0, number - 10); row < number; row++) {
      // The interrupted change, which may be stored or not, removes the oldest of these rows.
      if (row > number - 10) expect(held, `after ${writes} writes`).toContain(`row ${row}`);
    }
  }
  expect(crashes).toBeGreaterThan(3);
});

test('[STORAGE-82] each line is flushed to the disk before its write ends, also where all rows are written anew', () => {
  const acts: string[] = [];
  const recorded = (file: LogFile): LogFile => ({
    ...file,
    write: (bytes, at) => void (acts.push('write'), file.write(bytes, at)),
    flush: () => void acts.push('flush'),
    empty: () => void (acts.push('empty'), file.empty()),
  });
  const [one, other] = new Disk().files;
  const log = new JournalLog([recorded(one), recorded(other)]);
  log.write({ changes: [['a', 1]] });
  log.write({ changes: [['b', 2]] });
  log.write({ changes: [], anew: true });
  expect(acts).toEqual(['write', 'flush', 'write', 'flush', 'write', 'flush', 'empty']);
});
