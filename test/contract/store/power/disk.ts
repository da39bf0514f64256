/**
 * A disk whose power may be cut. What was synced is on it. Of each later write it may have all, nothing, or some sectors,
 * whatever came after; a new file may be missing until its folder is synced.
 */
import { dirname } from 'node:path';
import { randomBelow, type Random } from '../../../random.ts';
import type { FileOperation } from './file-operations.ts';

type Change = Extract<FileOperation, { kind: 'write' | 'truncate' }>;

interface DiskFile {
  synced: Buffer;
  unsynced: Change[];
  /** Whether a sync of the folder has made the file's entry durable. */
  isEntered: boolean;
}

const sectorBytes = 512;

export class Disk {
  readonly #files: Map<string, DiskFile>;

  constructor(files: ReadonlyMap<string, Buffer>) {
    this.#files = new Map([...files].map(([path, synced]) => [path, { synced, unsynced: [], isEntered: true }]));
  }

  do(operation: FileOperation): void {
    if (operation.kind === 'ack') return;
    const { path } = operation;
    if (operation.kind === 'sync') return this.#sync(path);
    const file = this.#files.get(path);
    if (operation.kind === 'create') {
      if (!file) this.#files.set(path, { synced: Buffer.alloc(0), unsynced: [], isEntered: false });
    } else if (file) file.unsynced.push(operation);
    else throw new Error(`${path} was not opened`);
  }

  #sync(path: string): void {
    const file = this.#files.get(path);
    if (file) {
      file.synced = changed(file.synced, file.unsynced);
      file.unsynced = [];
      return;
    }
    for (const [name, each] of this.#files) if (dirname(name) === path) each.isEntered = true;
  }

  /** Returns the files that the disk has after a cut of its power. The disk itself goes on. */
  afterPowerCut(random: Random): Map<string, Buffer> {
    const left = new Map<string, Buffer>();
    for (const [path, { synced, unsynced, isEntered }] of this.#files) {
      if (!isEntered && random() < 0.5) continue;
      const kept = unsynced.flatMap((change) => survivorsOf(change, random));
      left.set(path, changed(synced, kept));
    }
    return left;
  }
}

/** Whole, lost or torn, each in a third of the cases. */
function survivorsOf(change: Change, random: Random): Change[] {
  const fate = randomBelow(random, 3);
  if (fate === 0) return [];
  if (fate === 1 || change.kind === 'truncate') return [change];
  return sectorsOf(change).filter(() => random() < 0.5);
}

function sectorsOf({ kind, path, at, bytes }: Extract<Change, { kind: 'write' }>): Change[] {
  const sectors: Change[] = [];
  for (let from = 0; from < bytes.length;) {
    const to = Math.min(bytes.length, from + sectorBytes - ((at + from) % sectorBytes));
    sectors.push({ kind, path, at: at + from, bytes: bytes.subarray(from, to) });
    from = to;
  }
  return sectors;
}

function changed(content: Buffer, changes: readonly Change[]): Buffer {
  const sizes = changes.map((change) => (change.kind === 'truncate' ? change.size : change.at + change.bytes.length));
  const after = Buffer.alloc(Math.max(content.length, ...sizes));
  content.copy(after);
  let size = content.length;
  for (const [index, change] of changes.entries()) {
    if (change.kind === 'write') size = Math.max(size, change.bytes.copy(after, change.at) + change.at);
    else {
      size = sizes[index]!;
      after.fill(0, size);
    }
  }
  return after.subarray(0, size);
}
