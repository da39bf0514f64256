/**
 * Takes photos in: what a client declares (POST /photos), the bytes of its upload (tus 1.0) and the verification of the
 * whole. The database decides: an append is acknowledged only when the storage has its bytes and the offset has moved.
 */
import { operator } from '../core/caller.ts';
import { sha256 } from '../core/hash.ts';
import { createTurns } from '../core/turns.ts';
import { isoNow, type World } from '../core/world.ts';
import type { NewPhoto, PhotoFinish, PhotoRow, PhotoStore } from '../store/photos/photo-row.ts';
import { beginAnew, claimUpload, removeUpload } from './claim-upload.ts';
import { flawOf, type PhotoFlaw } from './inspect-photo.ts';
import type { EventActor } from '../../shared/schema/integration/account-event.ts';
import type { PhotoReferenceStore } from '../store/photos/photo-reference.ts';
import type { PhotoStorage } from './photo-storage.ts';
import { endIdleUpload, hasEnded } from './sweep-uploads.ts';

interface PhotoUploadsOptions {
  store: PhotoStore & Pick<PhotoReferenceStore, 'isPhotoReferenced' | 'unmarkPhoto'>;
  storage: PhotoStorage;
  world: World;
}

/** `photo_mismatch`: the account has a photo of this id with other bytes or of another type. */
export type DeclareOutcome =
  | { ok: true; photo: PhotoRow; isNew: boolean }
  | { ok: false; code: 'photo_mismatch' | 'photo_quota_reached' };

export interface UploadPiece {
  offset: number;
  bytes: Uint8Array;
  /** Sends the piece. */
  actor: EventActor;
}

/**
 * `offset_mismatch`: the upload is at `photo.received_bytes`. `upload_busy`: another request moves it just now. A flaw: the
 * bytes are not the photo that was declared, and the upload begins again at 0.
 */
export type AppendOutcome =
  | { ok: true; photo: PhotoRow }
  | { ok: false; code: 'photo_not_found' | 'upload_too_long' }
  | { ok: false; code: 'offset_mismatch' | 'upload_busy' | PhotoFlaw; photo: PhotoRow };

/** `no_upload`: there is none of this id, or its photo is stored. `upload_busy`: another request writes to it just now. */
export type TerminateOutcome = 'ended' | 'no_upload' | 'upload_busy';

/** Each photo that is verified is in memory as a whole. */
const verifiedAtOnceMax = 4;

export class PhotoUploads {
  readonly #options: PhotoUploadsOptions;
  readonly #turns = createTurns(verifiedAtOnceMax);

  constructor(options: PhotoUploadsOptions) {
    this.#options = options;
  }

  /**
   * Begins, finds or corrects the upload of a photo; one that is stored without its bytes is uploaded again. `bytesMax`
   * limits the bytes of all photos of the account.
   */
  async declare(accountId: string, photo: NewPhoto, bytesMax: number): Promise<DeclareOutcome> {
    const { store } = this.#options;
    const known = await this.#findWithBytes(accountId, photo);
    if (!known) await endIdleUpload(this.#options, accountId, photo.id);
    const row = known ?? (await store.addPhoto(accountId, photo, { bytesMax, now: this.#now }));
    if (!row) return { ok: false, code: 'photo_quota_reached' };
    const isSame = row.bytes === photo.bytes && row.content_type === photo.content_type;
    if (!isSame) return { ok: false, code: 'photo_mismatch' };
    // Some declare the same photo without its thumbnail.
    const corrected = { ...photo, thumbnail: photo.thumbnail ?? row.thumbnail };
    const isCorrected = known && known.stored_at === null && !hasSizeAndThumbnailOf(known, corrected);
    if (isCorrected) await store.correctPhoto(accountId, corrected);
    return { ok: true, photo: (isCorrected && (await store.photo(accountId, photo.id))) || row, isNew: !known };
  }

  /** Finds a photo, unless its upload has ended. If a process died between the last byte of an upload and its verification, verifies it now. */
  async find(accountId: string, id: string): Promise<PhotoRow | undefined> {
    const photo = await this.#options.store.photo(accountId, id);
    if (!photo || (await hasEnded(this.#options, accountId, photo))) return undefined;
    if (!isUnverified(photo)) return photo;
    const claim = await claimUpload(this.#options, accountId, photo);
    if (claim !== undefined) await this.#verify(accountId, photo, { claim, actor: operator });
    return this.#options.store.photo(accountId, id);
  }

  /**
   * Brings a photo in line with its bytes: awaits one whose bytes are gone or cut off, and stores one at 0 whose bytes are
   * back, as those of a folder that was away. Returns the photo as it is then.
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

  /** Appends bytes at an offset. When the last byte is there, verifies the photo and stores it. */
  async append(accountId: string, id: string, { offset, bytes, actor }: UploadPiece): Promise<AppendOutcome> {
    const { store, storage } = this.#options;
    const photo = await this.find(accountId, id);
    if (!photo) return { ok: false, code: 'photo_not_found' };
    if (photo.stored_at !== null || photo.received_bytes !== offset) {
      return { ok: false, code: 'offset_mismatch', photo };
    }
    const end = offset + bytes.length;
    if (end > photo.bytes) return { ok: false, code: 'upload_too_long' };
    // An upload that gets no bytes is idle, and is given up in the end.
    if (bytes.length === 0) return { ok: true, photo };
    const claim = await claimUpload(this.#options, accountId, photo);
    if (claim === undefined) return this.#overtaken(accountId, photo);
    let isAppended: boolean;
    try {
      isAppended = await storage.append({ accountId, id }, offset, bytes);
    } catch (error) {
      await store.releaseUpload(accountId, id, claim);
      throw error;
    }
    if (!isAppended) {
      // The storage or the database was restored to another time.
      await store.advanceUpload(accountId, id, { claim, offset: 0, now: this.#now });
      return this.#overtaken(accountId, photo);
    }
    const appended = { ...photo, received_bytes: end };
    const keepsClaim = isUnverified(appended);
    if (!(await store.advanceUpload(accountId, id, { claim, offset: end, now: this.#now, keepsClaim }))) {
      return this.#overtaken(accountId, photo);
    }
    const flaw = keepsClaim ? await this.#verify(accountId, appended, { claim, actor }) : undefined;
    const after = (await store.photo(accountId, id)) ?? appended;
    // A verification that outlasted its claim has stored nothing, and the client would take a photo with all bytes for stored.
    if (keepsClaim && flaw === undefined && after.stored_at === null)
      return { ok: false, code: 'upload_busy', photo: after };
    return flaw === undefined ? { ok: true, photo: after } : { ok: false, code: flaw, photo: after };
  }

  /** Ends an upload and forgets its photo. */
  async terminate(accountId: string, id: string): Promise<TerminateOutcome> {
    const photo = await this.#options.store.photo(accountId, id);
    if (!photo || photo.stored_at !== null) return 'no_upload';
    // A request that went on writing would leave bytes that no row knows.
    const claim = await claimUpload(this.#options, accountId, photo);
    if (claim === undefined) return 'upload_busy';
    return (await removeUpload(this.#options, accountId, id, claim)) ? 'ended' : 'upload_busy';
  }

  /** Finds a declared photo. If it is stored and its bytes are gone, begins its upload anew. */
  async #findWithBytes(accountId: string, { id, bytes, content_type }: NewPhoto): Promise<PhotoRow | undefined> {
    const { store } = this.#options;
    const photo = await this.find(accountId, id);
    if (!photo) return undefined;
    if (photo.bytes !== bytes || photo.content_type !== content_type) return photo;
    const reconciled = await this.reconcile(accountId, photo);
    if (!reconciled || reconciled.stored_at === null) return reconciled;
    await store.unmarkPhoto(accountId, id);
    // Another process may have collected the photo just before.
    return store.photo(accountId, id);
  }

  get #now(): string {
    return isoNow(this.#options.world);
  }

  async #overtaken(accountId: string, photo: PhotoRow): Promise<AppendOutcome> {
    const current = (await this.#options.store.photo(accountId, photo.id)) ?? photo;
    const isMoved = current.received_bytes !== photo.received_bytes || current.stored_at !== null;
    return { ok: false, code: isMoved ? 'offset_mismatch' : 'upload_busy', photo: current };
  }

  /**
   * Stores a photo of which all bytes are there, or begins its upload anew and returns what is wrong with it:
   * `offset_mismatch` if the storage has lost some of them.
   */
  async #verify(
    accountId: string,
    { id }: PhotoRow,
    finish: Omit<PhotoFinish, 'now'>,
  ): Promise<PhotoFlaw | 'offset_mismatch' | undefined> {
    const { store, storage } = this.#options;
    // Its size in pixels may have been corrected until its last byte came.
    const photo = await store.photo(accountId, id);
    if (!photo) return undefined;
    await storage.finish({ accountId, id });
    return this.#storeIfSound(accountId, photo, finish);
  }

  /** A piece that was appended meanwhile is no part of the photo, so nothing is finished. */
  async #storeAgain(accountId: string, photo: PhotoRow): Promise<void> {
    const { store } = this.#options;
    const claim = await claimUpload(this.#options, accountId, photo);
    if (claim === undefined) return;
    const move = { claim, offset: photo.bytes, now: this.#now, keepsClaim: true };
    if (!(await store.advanceUpload(accountId, photo.id, move))) return;
    const corrected = await store.photo(accountId, photo.id);
    if (corrected) await this.#storeIfSound(accountId, corrected, { claim, actor: operator });
  }

  async #storeIfSound(
    accountId: string,
    photo: PhotoRow,
    finish: Omit<PhotoFinish, 'now'>,
  ): Promise<PhotoFlaw | 'offset_mismatch' | undefined> {
    const { store } = this.#options;
    const { id } = photo;
    const flaw = await this.#inTurn(() => this.#findFlaw(accountId, photo));
    if (flaw === undefined) {
      await store.finishPhoto(accountId, id, { ...finish, now: this.#now });
      return undefined;
    }
    await beginAnew(this.#options, accountId, id, finish.claim);
    return flaw;
  }

  async #findFlaw(accountId: string, photo: PhotoRow): Promise<PhotoFlaw | 'offset_mismatch' | undefined> {
    // One more byte than there should be shows that a file is too long.
    const bytes = await this.#options.storage.read({ accountId, id: photo.id }, { start: 0, end: photo.bytes + 1 });
    return bytes?.length === photo.bytes ? flawOfPhoto(bytes, photo) : 'offset_mismatch';
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => this.#turns.run(() => work().then(resolve, reject)));
  }
}

const flawOfPhoto = (bytes: Uint8Array, photo: PhotoRow): PhotoFlaw | undefined =>
  sha256(bytes) === photo.id ? flawOf(bytes, photo) : 'photo_corrupt';

const hasSizeAndThumbnailOf = (row: PhotoRow, { width, height, thumbnail }: NewPhoto): boolean =>
  row.width === width && row.height === height && row.thumbnail === thumbnail;

const isUnverified = ({ received_bytes, bytes, stored_at }: PhotoRow): boolean =>
  received_bytes === bytes && stored_at === null;
