/**
 * Writes the lines of the log. If the log cannot be written, requests and the process go on. The size of the waiting
 * lines has a limit.
 *
 *   line ─► waiting ─► written, one write at a time ─┬─► done: the next lines
 *             │                                      ├─► failed (disk full, pipe full): the same lines again, later
 *             └─► full: dropped and counted          └─► the reader of the pipe is gone: nothing more is written
 */
import { write, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export interface LogWriter {
  /** Takes one line or several, each with its line break. */
  write(lines: string): void;
  /** Waits until all lines are written, but at most `exitWaitMsMax`. */
  flush(): Promise<void>;
}

interface LogWriterOptions {
  waitingBytesMax?: number;
  retryMs?: number;
  /** Returns milliseconds since 1970, for the line about dropped lines. */
  now?: () => number;
}

const waitingBytesMaxDefault = 1024 * 1024;
const retryMsDefault = 100;
/** Limits how long a log that cannot be written delays the end of the process. */
const exitWaitMsMax = 1_000;
const exitPollMs = 10;

/**
 * Opens a writer on a file descriptor, which stays open. When the process exits, also because of a bug, the waiting
 * lines are written.
 */
export function openLogWriter(fd: number, options: LogWriterOptions = {}): LogWriter {
  const { waitingBytesMax = waitingBytesMaxDefault, retryMs = retryMsDefault, now = Date.now } = options;
  let waiting = '';
  let waitingBytes = 0;
  let droppedLines = 0;
  /** The rest of the lines that are being written: the bytes that are not written yet. */
  let rest: Buffer | undefined;
  /** True while a call of `write` with `rest` is under way. */
  let isWriting = false;
  let retryTimer: NodeJS.Timeout | undefined;
  let isReaderGone = false;

  function takeWaiting(): void {
    if (rest !== undefined || waiting === '') return;
    rest = Buffer.from(waiting);
    waiting = '';
    waitingBytes = 0;
    if (droppedLines === 0) return;
    rest = Buffer.concat([rest, Buffer.from(droppedLinesText(droppedLines, now()))]);
    droppedLines = 0;
  }

  function writeNext(): void {
    takeWaiting();
    if (rest === undefined || isWriting || retryTimer !== undefined || isReaderGone) return;
    isWriting = true;
    write(fd, rest, (error, bytes) => {
      isWriting = false;
      if (!error) skip(bytes);
      else if (readerGoneCodes.has(error.code ?? '')) isReaderGone = true;
      else retryTimer = setTimeout(retry, retryMs).unref();
      writeNext();
    });
  }

  function retry(): void {
    retryTimer = undefined;
    writeNext();
  }

  function skip(bytes: number): void {
    rest = rest?.subarray(bytes);
    if (rest?.length === 0) rest = undefined;
  }

  const hasLines = () => (rest !== undefined || waiting !== '') && !isReaderGone;

  process.once('exit', () => {
    if (isReaderGone) return;
    const giveUpAt = performance.now() + exitWaitMsMax;
    // The write under way completes, but its callback cannot run any more. Writing its lines again would duplicate
    // them.
    if (isWriting) {
      blockProcess(exitPollMs);
      rest = undefined;
    }
    takeWaiting();
    while (rest !== undefined && performance.now() < giveUpAt) {
      try {
        skip(writeSync(fd, rest));
      } catch {
        blockProcess(exitPollMs);
      }
      takeWaiting();
    }
  });

  return {
    write(lines) {
      const bytes = Buffer.byteLength(lines);
      if (isReaderGone) return;
      if (waitingBytes + bytes > waitingBytesMax) {
        droppedLines += lines.split('\n').length - 1;
        return;
      }
      waiting += lines;
      waitingBytes += bytes;
      writeNext();
    },
    async flush() {
      const giveUpAt = performance.now() + exitWaitMsMax;
      while (hasLines() && performance.now() < giveUpAt) await sleep(exitPollMs);
      // If the wait was too short, count the reader as gone, so that the exit handler does not wait again.
      if (hasLines()) isReaderGone = true;
    },
  };
}

const readerGoneCodes = new Set(['EPIPE', 'EBADF']);

function droppedLinesText(lines: number, now: number): string {
  const fields = {
    level: 40,
    time: new Date(now).toISOString(),
    lines,
    msg: 'the log could not be written and lost lines',
  };
  return `${JSON.stringify(fields)}\n`;
}

/** Blocks the process. It is used only at the exit, when no other work is left. */
function blockProcess(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
