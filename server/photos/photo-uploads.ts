/**
 * Takes photos in: what a client declares (POST /photos), the bytes of its upload (tus 1.0) and the verification of the
 * whole. The database decides: an append is acknowledged only when the storage has its bytes and the offset has moved.
 */
import { sha256 } from '../core/hash.ts';
import { randomUuid, isoNow, type World } from '../core/world.ts';
import type { NewPhoto, PhotoRow, PhotoStore } from '../store/photos/photo-row.ts';
import { flawOf, type PhotoFlaw } from './inspect-photo.ts';
import type { PhotoStorage } from './photo-storage.ts';

interface PhotoUploadsOptions {
  store: PhotoStore;
  storage: PhotoStorage;
  world: World;
}

/** `photo_mismatch`: the account has a photo of this id with other bytes or of another type. */
export type DeclareOutcome =
  { ok: true; photo: PhotoRow; isNew: boolean } | { ok: false; code: 'photo_mismatch' | 'photo_quota_reached' };

/**
 * `offset_mismatch`: the upload is at `photo.received_bytes`, or another request moves it just now. A flaw: the bytes are not
 * the photo that was declared, and the upload begins again at 0.
 */
export type AppendOutcome =
  | { ok: true; photo: PhotoRow }
  | { ok: false; code: 'photo_not_found' | 'photo_too_large' }
  | { ok: false; code: 'offset_mismatch' | PhotoFlaw; photo: PhotoRow };

/** A request that writes 1 MiB is over long before. Later, another request may have the upload. */
const claimMs = 60_000;

export class PhotoUploads {
  readonly #options: PhotoUploadsOptions;

  constructor(options: PhotoUploadsOptions) {
    this.#options = options;
  }

  /** Begins the upload of a photo, or finds it as it is. `bytesMax` limits the bytes of all photos of the account. */
  async declare(accountId: string, photo: NewPhoto, bytesMax: number): Promise<DeclareOutcome> {
    const { store } = this.#options;
    const known = await this.find(accountId, photo.id);
    const row = known ?? (await store.addPhoto(accountId, photo, { bytesMax, now: this.#now }));
    if (!row) return { ok: false, code: 'photo_quota_reached' };
    const isSame = row.bytes === photo.bytes && row.content_type === photo.content_type;
    return isSame ? { ok: true, photo: row, isNew: !known } : { ok: false, code: 'photo_mismatch' };
  }

  /** Finds a photo. If a process died between the last byte of an upload and its verification, verifies it now. */
  async find(accountId: string, id: string): Promise<PhotoRow | undefined> {
    const photo = await this.#options.store.photo(accountId, id);
    if (!photo || !isUnverified(photo)) return photo;
    await this.#verify(accountId, photo);
    return this.#options.store.photo(accountId, id);
  }

  /** Appends bytes at an offset. When the last byte is there, verifies the photo and stores it. */
  async append(accountId: string, id: string, offset: number, bytes: Uint8Array): Promise<AppendOutcome> {
    const { store, storage } = this.#options;
    const photo = await this.find(accountId, id);
    if (!photo) return { ok: false, code: 'photo_not_found' };
    if (photo.stored_at !== null || photo.received_bytes !== offset) {
      return { ok: false, code: 'offset_mismatch', photo };
    }
    const end = offset + bytes.length;
    if (end > photo.bytes) return { ok: false, code: 'photo_too_large' };
    const claim = await this.#claim(accountId, photo);
    if (claim === undefined) return this.#overtaken(accountId, photo);
    if (bytes.length > 0) await storage.append({ accountId, id }, offset, bytes);
    if (!(await store.advanceUpload(accountId, id, { claim, offset: end, now: this.#now }))) {
      return this.#overtaken(accountId, photo);
    }
    const appended = { ...photo, received_bytes: end };
    const flaw = isUnverified(appended) ? await this.#verify(accountId, appended) : undefined;
    const after = (await store.photo(accountId, id)) ?? appended;
    return flaw === undefined ? { ok: true, photo: after } : { ok: false, code: flaw, photo: after };
  }

  /** Ends an upload and forgets its photo. Returns false if there is none, or it is stored. */
  async terminate(accountId: string, id: string): Promise<boolean> {
    const { store, storage } = this.#options;
    const photo = await store.photo(accountId, id);
    if (!photo || photo.stored_at !== null) return false;
    // While the row is there, the upload can be ended again if this process dies.
    await storage.remove({ accountId, id });
    return store.removePhoto(accountId, id);
  }

  get #now(): string {
    return isoNow(this.#options.world);
  }

  /** Returns undefined if another request has moved the upload, or moves it just now. */
  async #claim(accountId: string, { id, received_bytes }: PhotoRow): Promise<string | undefined> {
    const { store, world } = this.#options;
    const claim = randomUuid(world);
    const until = new Date(world.now() + claimMs).toISOString();
    const isClaimed = await store.claimUpload(accountId, id, { claim, offset: received_bytes, now: this.#now, until });
    return isClaimed ? claim : undefined;
  }

  async #overtaken(accountId: string, photo: PhotoRow): Promise<AppendOutcome> {
    const current = (await this.#options.store.photo(accountId, photo.id)) ?? photo;
    return { ok: false, code: 'offset_mismatch', photo: current };
  }

  /** Stores a photo of which all bytes are there, or begins its upload anew and returns what is wrong with it. */
  async #verify(accountId: string, photo: PhotoRow): Promise<PhotoFlaw | undefined> {
    const { store, storage } = this.#options;
    const key = { accountId, id: photo.id };
    const claim = await this.#claim(accountId, photo);
    // Another request verifies it.
    if (claim === undefined) return undefined;
    await storage.finish(key);
    const bytes = await storage.read(key, { start: 0, end: photo.bytes });
    const flaw = bytes && sha256(bytes) === photo.id ? flawOf(bytes, photo) : 'photo_corrupt';
    if (flaw === undefined) await store.finishPhoto(accountId, photo.id, this.#now);
    else {
      await storage.remove(key);
      await store.advanceUpload(accountId, photo.id, { claim, offset: 0, now: this.#now });
    }
    return flaw;
  }
}

const isUnverified = ({ received_bytes, bytes, stored_at }: PhotoRow): boolean =>
  received_bytes === bytes && stored_at === null;
