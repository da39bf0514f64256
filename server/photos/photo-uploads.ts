/**
 * Receives photos: a client declares a photo (POST /photos) and uploads its bytes (tus 1.0), and the server verifies
 * them. An append is acknowledged only after the storage has the bytes and the offset in the database has moved.
 */
import { operatorActor } from '../core/caller.ts';
import { sha256 } from '../core/hash.ts';
import { createWorkQueue } from '../core/work-queue.ts';
import { isoNow, type World } from '../core/world.ts';
import type { NewPhoto, PhotoFinish, PhotoRow, PhotoStore } from '../store/photos/photo-row.ts';
import { emptyUpload, claimUpload, removeUpload } from './claim-upload.ts';
import { photoFlawOf, type PhotoFlaw } from './inspect-photo.ts';
import type { EventActor } from '../../shared/schema/integration/account-event.ts';
import type { PhotoReferenceStore } from '../store/photos/photo-reference.ts';
import type { PhotoStorage } from './photo-storage.ts';
import { endIdleUpload, hasUploadExpired } from './sweep-uploads.ts';

interface PhotoUploadsOptions {
  store: PhotoStore & Pick<PhotoReferenceStore, 'isPhotoReferenced' | 'unmarkPhoto'>;
  storage: PhotoStorage;
  world: World;
}

/** `photo_mismatch`: the account has a photo with this id, but another size or type was declared. */
export type DeclareOutcome =
  | { ok: true; photo: PhotoRow; isNew: boolean }
  | { ok: false; code: 'photo_mismatch' | 'photo_quota_reached' };

export interface UploadPiece {
  offset: number;
  bytes: Uint8Array;
  /** The device or API key that sends the piece. */
  actor: EventActor;
}

/**
 * `offset_mismatch`: the upload is at `photo.received_bytes`. `upload_busy`: another request is writing. A `PhotoFlaw`:
 * the bytes are not the declared photo, and the upload starts again at 0.
 */
export type AppendOutcome =
  | { ok: true; photo: PhotoRow }
  | { ok: false; code: 'photo_not_found' | 'upload_too_long' }
  | { ok: false; code: 'offset_mismatch' | 'upload_busy' | PhotoFlaw; photo: PhotoRow };

/** `no_upload`: the photo is unknown or already stored. `upload_busy`: another request is writing. */
export type TerminateOutcome = 'ended' | 'no_upload' | 'upload_busy';

/** Limits the verifications at once, since each holds a whole photo in memory. */
const concurrentVerificationsMax = 4;

export class PhotoUploads {
  readonly #options: PhotoUploadsOptions;
  readonly #verifications = createWorkQueue(concurrentVerificationsMax);

  constructor(options: PhotoUploadsOptions) {
    this.#options = options;
  }

  /**
   * Starts, finds or corrects the upload of a photo. If a stored photo has lost its bytes, its upload starts again.
   * `bytesMax` limits the bytes of all photos of the account.
   */
  async declare(accountId: string, photo: NewPhoto, bytesMax: number): Promise<DeclareOutcome> {
    const { store } = this.#options;
    const known = await this.#findWithBytes(accountId, photo);
    if (!known) await endIdleUpload(this.#options, accountId, photo.id);
    const row = known ?? (await store.addPhoto(accountId, photo, { bytesMax, now: this.#now }));
    if (!row) return { ok: false, code: 'photo_quota_reached' };
    const isSame = row.bytes === photo.bytes && row.content_type === photo.content_type;
    if (!isSame) return { ok: false, code: 'photo_mismatch' };
    // A client may declare a photo again without its thumbnail. Keep the stored thumbnail then.
    const corrected = { ...photo, thumbnail: photo.thumbnail ?? row.thumbnail };
    const isCorrected = known && known.stored_at === null && !hasSizeAndThumbnailOf(known, corrected);
    if (isCorrected) await store.correctPhoto(accountId, corrected);
    return { ok: true, photo: (isCorrected && (await store.photo(accountId, photo.id))) || row, isNew: !known };
  }

  /**
   * Finds a photo, unless its upload has expired. If a process died between an upload's last byte and its verification,
   * verifies the photo now.
   */
  async find(accountId: string, id: string): Promise<PhotoRow | undefined> {
    const photo = await this.#options.store.photo(accountId, id);
    if (!photo || (await hasUploadExpired(this.#options, accountId, photo))) return undefined;
    if (!isUnverified(photo)) return photo;
    const claim = await claimUpload(this.#options, accountId, photo);
    if (claim !== undefined) await this.#verify(accountId, photo, { claim, actor: operatorActor });
    return this.#options.store.photo(accountId, id);
  }

  /**
   * Makes the row fit the bytes in the storage, and returns the row. A stored photo without its bytes goes back to
   * offset 0. A photo at offset 0 is stored if its bytes are back, such as in a folder that is mounted again.
   */
  async reconcile(accountId: string, photo: PhotoRow): Promise<PhotoRow | undefined> {
    const { store, storage } = this.#options;
    const { id, bytes, received_bytes, stored_at } = photo;
    if (stored_at === null && received_bytes > 0) return photo;
    const isWhole = (await storage.size({ accountId, id })) === bytes;
    if (isWhole === (stored_at !== null)) return photo;
    if (stored_at === null) await this.#storeAgain(accountId, photo);
    else await store.restartUpload(accountId, id, { storedAt: stored_at, now: this.#now });
    return store.photo(accountId, id);
  }

  /** Appends bytes at an offset. After the last byte, verifies the photo and stores it. */
  async append(accountId: string, id: string, { offset, bytes, actor }: UploadPiece): Promise<AppendOutcome> {
    const { store, storage } = this.#options;
    const photo = await this.find(accountId, id);
    if (!photo) return { ok: false, code: 'photo_not_found' };
    if (photo.stored_at !== null || photo.received_bytes !== offset) {
      return { ok: false, code: 'offset_mismatch', photo };
    }
    const end = offset + bytes.length;
    if (end > photo.bytes) return { ok: false, code: 'upload_too_long' };
    // An empty piece does not count as progress, so the upload still expires when idle.
    if (bytes.length === 0) return { ok: true, photo };
    const claim = await claimUpload(this.#options, accountId, photo);
    if (claim === undefined) return this.#overtakenOutcome(accountId, photo);
    let isAppended: boolean;
    try {
      isAppended = await storage.append({ accountId, id }, offset, bytes);
    } catch (error) {
      await store.releaseUpload(accountId, id, claim);
      throw error;
    }
    if (!isAppended) {
      // Bytes are missing in the storage, since the storage or the database was restored from a backup.
      await store.advanceUpload(accountId, id, { claim, offset: 0, now: this.#now });
      return this.#overtakenOutcome(accountId, photo);
    }
    const appended = { ...photo, received_bytes: end };
    const keepsClaim = isUnverified(appended);
    if (!(await store.advanceUpload(accountId, id, { claim, offset: end, now: this.#now, keepsClaim }))) {
      return this.#overtakenOutcome(accountId, photo);
    }
    const flaw = keepsClaim ? await this.#verify(accountId, appended, { claim, actor }) : undefined;
    const after = (await store.photo(accountId, id)) ?? appended;
    // If the claim expired during the verification, the photo was not stored. Report `upload_busy`, since the client
    // would take a photo with all bytes for a stored one.
    if (keepsClaim && flaw === undefined && after.stored_at === null)
      return { ok: false, code: 'upload_busy', photo: after };
    return flaw === undefined ? { ok: true, photo: after } : { ok: false, code: flaw, photo: after };
  }

  /** Removes an upload and its photo's row. */
  async terminate(accountId: string, id: string): Promise<TerminateOutcome> {
    const photo = await this.#options.store.photo(accountId, id);
    if (!photo || photo.stored_at !== null) return 'no_upload';
    // Claim the upload first, since a request that is still writing would leave bytes without a row.
    const claim = await claimUpload(this.#options, accountId, photo);
    if (claim === undefined) return 'upload_busy';
    return (await removeUpload(this.#options, accountId, id, claim)) ? 'ended' : 'upload_busy';
  }

  /** Finds a declared photo. If it is stored but its bytes are gone, its upload starts again. */
  async #findWithBytes(accountId: string, { id, bytes, content_type }: NewPhoto): Promise<PhotoRow | undefined> {
    const { store } = this.#options;
    const photo = await this.find(accountId, id);
    if (!photo) return undefined;
    if (photo.bytes !== bytes || photo.content_type !== content_type) return photo;
    const reconciled = await this.reconcile(accountId, photo);
    if (!reconciled || reconciled.stored_at === null) return reconciled;
    await store.unmarkPhoto(accountId, id);
    // Read the row again, since a sweep of another process may just have removed the photo.
    return store.photo(accountId, id);
  }

  get #now(): string {
    return isoNow(this.#options.world);
  }

  async #overtakenOutcome(accountId: string, photo: PhotoRow): Promise<AppendOutcome> {
    const current = (await this.#options.store.photo(accountId, photo.id)) ?? photo;
    const isMoved = current.received_bytes !== photo.received_bytes || current.stored_at !== null;
    return { ok: false, code: isMoved ? 'offset_mismatch' : 'upload_busy', photo: current };
  }

  /**
   * Verifies a photo of which all bytes have arrived, and stores it. If the photo is flawed, restarts its upload and
   * returns the flaw: `offset_mismatch` if the storage has lost bytes.
   */
  async #verify(
    accountId: string,
    { id }: PhotoRow,
    finish: Omit<PhotoFinish, 'now'>,
  ): Promise<PhotoFlaw | 'offset_mismatch' | undefined> {
    const { store, storage } = this.#options;
    // Read the row again, since the declared size in pixels could be corrected until the last byte arrived.
    const photo = await store.photo(accountId, id);
    if (!photo) return undefined;
    await storage.finish({ accountId, id });
    return this.#storeIfSound(accountId, photo, finish);
  }

  /**
   * Stores a photo whose lost bytes have come back to the storage. Does not call `storage.finish`, which would add a
   * piece to the photo that another request appended in the meantime.
   */
  async #storeAgain(accountId: string, photo: PhotoRow): Promise<void> {
    const { store } = this.#options;
    const claim = await claimUpload(this.#options, accountId, photo);
    if (claim === undefined) return;
    const move = { claim, offset: photo.bytes, now: this.#now, keepsClaim: true };
    if (!(await store.advanceUpload(accountId, photo.id, move))) return;
    const corrected = await store.photo(accountId, photo.id);
    if (corrected) await this.#storeIfSound(accountId, corrected, { claim, actor: operatorActor });
  }

  async #storeIfSound(
    accountId: string,
    photo: PhotoRow,
    finish: Omit<PhotoFinish, 'now'>,
  ): Promise<PhotoFlaw | 'offset_mismatch' | undefined> {
    const { store } = this.#options;
    const { id } = photo;
    const flaw = await this.#runVerification(() => this.#findFlaw(accountId, photo));
    if (flaw === undefined) {
      await store.finishPhoto(accountId, id, { ...finish, now: this.#now });
      return undefined;
    }
    await emptyUpload(this.#options, accountId, id, finish.claim);
    return flaw;
  }

  async #findFlaw(accountId: string, photo: PhotoRow): Promise<PhotoFlaw | 'offset_mismatch' | undefined> {
    // Read one byte more than the photo has, to notice a file that is too long.
    const bytes = await this.#options.storage.read({ accountId, id: photo.id }, { start: 0, end: photo.bytes + 1 });
    return bytes?.length === photo.bytes ? flawOfReceivedPhoto(bytes, photo) : 'offset_mismatch';
  }

  #runVerification<Result>(work: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => this.#verifications.run(() => work().then(resolve, reject)));
  }
}

const flawOfReceivedPhoto = (bytes: Uint8Array, photo: PhotoRow): PhotoFlaw | undefined =>
  sha256(bytes) === photo.id ? photoFlawOf(bytes, photo) : 'photo_corrupt';

const hasSizeAndThumbnailOf = (row: PhotoRow, { width, height, thumbnail }: NewPhoto): boolean =>
  row.width === width && row.height === height && row.thumbnail === thumbnail;

const isUnverified = ({ received_bytes, bytes, stored_at }: PhotoRow): boolean =>
  received_bytes === bytes && stored_at === null;
