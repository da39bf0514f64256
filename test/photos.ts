/** Uploads of photos on a real database and a real folder, with a clock that can be moved. */
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { operatorActor } from '../server/core/caller.ts';
import { systemWorld, type World } from '../server/core/world.ts';
import { createFolderStorage } from '../server/photos/folder-storage.ts';
import { PhotoUploads } from '../server/photos/photo-uploads.ts';
import { openSqliteStore } from '../server/store/sqlite/sqlite-store.ts';
import type { Store } from '../server/store/store.ts';
import type { NewPhoto } from '../server/store/photos/photo-row.ts';
import { mapDoc, newAccount, runRow, write } from './contract/store/records.ts';
import { samplePixels } from './photo-samples.ts';

export const idOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
export const declared = (bytes: Uint8Array, fields: Partial<NewPhoto> = {}): NewPhoto => ({
  id: idOf(bytes),
  content_type: 'image/jpeg',
  bytes: bytes.length,
  ...samplePixels,
  thumbnail: null,
  ...fields,
});
export const bytesMax = 1_000_000;

export const pieceAt = (offset: number, bytes: Uint8Array) => ({ offset, bytes, actor: operatorActor });

export async function openUploads() {
  const folder = await mkdtemp(join(tmpdir(), 'gemba-uploads-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const store = await openSqliteStore({ dataDir: join(folder, 'data') });
  onTestFinished(() => store.close());
  const storage = createFolderStorage(join(folder, 'photos'));
  let skippedMs = 0;
  const world: World = { ...systemWorld, now: () => systemWorld.now() + skippedMs };
  const accountId = await newAccount(store);
  const uploads = new PhotoUploads({ store, storage, world });
  const stored = (id: string) => storage.read({ accountId, id }, { start: 0, end: bytesMax });
  const wait = (ms: number) => (skippedMs += ms);
  return { accountId, uploads, store, storage, world, stored, wait };
}

const mapId = '0192a4c0-0000-7000-8000-00000000000a';

/** Records a run whose step refers to a photo. */
export function recordRunWith(
  { store, accountId }: { store: Store; accountId: string },
  number: number,
  photo: Uint8Array,
): Promise<number> {
  return write(store, accountId, (next) => {
    const row = runRow(next(), { mapId, number });
    const steps = row.doc!.steps.map((step) => ({ ...step, photos: [`sha256:${idOf(photo)}`] }));
    return { maps: [mapDoc(next(), { id: mapId })], runs: [{ ...row, doc: { ...row.doc!, steps } }] };
  });
}

/** Holds a call up: `reached` resolves once the call waits in `pass`, and `release` lets it go on. */
export function newGate() {
  let reach!: () => void;
  let release!: () => void;
  const reached = new Promise<void>((resolve) => (reach = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  const pass = async () => {
    reach();
    await released;
  };
  return { reached, release, pass };
}
