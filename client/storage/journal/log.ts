/**
 * The journal's file: a log of changes, to which each write appends a line, so that the cost of a
 * write does not grow with the log.
 *
 *   fac1f013 {"generation":3,"changes":[["outbox|device",{…}],["drafts|…|000000",{…}]]}
 *   8e9fb2b3 {"changes":[["drafts|…|000001",{…}]]}
 *
 * Two files alternate. When one is too long, all rows are written as one line into the other file. That line begins the
 * next generation. Only then is the long file emptied, so one file is always complete. A half-written line, left by a
 * crash, has a wrong checksum and is ignored.
 */
import type { JournalChange, JournalRows, JournalWrite } from './mirror.ts';

/** The names of the two files in the folder of a device. */
export const logFileNames = ['a.log', 'b.log'] as const;

/** A file with synchronous methods, which throw if they fail. */
export interface LogFile {
  read(): Uint8Array;
  write(bytes: Uint8Array, at: number): void;
  /** Waits until all written bytes are on the disk. */
  flush(): void;
  empty(): void;
}

interface LoadedLog {
  file: LogFile;
  rows: JournalRows;
  generation: number;
  bytes: number;
  /** The length of the first line, which has all rows at the start of the generation. */
  firstBytes: number;
}

interface LogLine {
  generation?: number;
  changes: JournalChange[];
}

/** A log is rewritten when it is longer than this plus twice its first line. */
const growthBytesMax = 256 * 1024;

export class JournalLog {
  #current: LoadedLog;
  #spare: LogFile;

  constructor(files: [LogFile, LogFile]) {
    const [first, second] = [readLog(files[0]), readLog(files[1])];
    const isFirstNewer = (first.generation - second.generation || first.bytes - second.bytes) > 0;
    const [older, newer] = isFirstNewer ? [second, first] : [first, second];
    this.#current = newer;
    this.#spare = older.file;
    if (older.bytes > 0) this.#spare.empty();
  }

  get rows(): JournalRows {
    return this.#current.rows;
  }

  write({ changes, anew = false }: JournalWrite): void {
    if (anew) {
      applyChanges(this.#current.rows, changes);
      return this.#rewrite();
    }
    if (changes.length === 0) return;
    const { rows, bytes, firstBytes, generation } = this.#current;
    this.#append(bytes === 0 ? { generation: generation + 1, changes } : { changes });
    applyChanges(rows, changes);
    if (this.#current.bytes > growthBytesMax + 2 * firstBytes) this.#rewrite();
  }

  #append(line: LogLine): void {
    const { file, bytes } = this.#current;
    const added = encodeLine(line);
    file.write(added, bytes);
    file.flush();
    this.#current.bytes += added.length;
    if (line.generation !== undefined) {
      this.#current.firstBytes = added.length;
      this.#current.generation = line.generation;
    }
  }

  #rewrite(): void {
    const { file: grown, rows, generation } = this.#current;
    this.#current = { file: this.#spare, rows, generation, bytes: 0, firstBytes: 0 };
    this.#spare = grown;
    this.#append({ generation: generation + 1, changes: [...rows] });
    grown.empty();
  }
}

function readLog(file: LogFile): LoadedLog {
  const read = file.read();
  const rows: JournalRows = new Map();
  let generation = 0;
  const lines = new TextDecoder().decode(read).split('\n');
  for (const text of lines) {
    const line = decodeLine(text);
    if (!line) continue;
    generation = Math.max(generation, line.generation ?? 0);
    applyChanges(rows, line.changes);
  }
  // End a half-written last line. Otherwise the next line would continue it and be ignored, too.
  const endsHalf = lines.at(-1) !== '';
  if (endsHalf) file.write(newlineBytes, read.length);
  return {
    file,
    rows,
    generation,
    bytes: read.length + (endsHalf ? newlineBytes.length : 0),
    firstBytes: read.indexOf(newlineByte) + 1,
  };
}

function applyChanges(rows: JournalRows, changes: JournalChange[]): void {
  for (const [key, body] of changes) {
    if (body === null) rows.delete(key);
    else rows.set(key, body);
  }
}

const newlineByte = 0x0a;
const newlineBytes = Uint8Array.of(newlineByte);

function encodeLine(line: LogLine): Uint8Array {
  const json = JSON.stringify(line);
  return new TextEncoder().encode(`${checksumOf(json)} ${json}\n`);
}

function decodeLine(text: string): LogLine | undefined {
  const json = text.slice(checksumDigits + 1);
  return json !== '' && text.startsWith(`${checksumOf(json)} `) ? (JSON.parse(json) as LogLine) : undefined;
}

const checksumDigits = 8;

/** FNV-1a of 32 bits over the UTF-16 code units: http://www.isthe.com/chongo/tech/comp/fnv/ */
function checksumOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(16).padStart(checksumDigits, '0');
}
