/**
 * The row of a photo: what a client declared, how many bytes of the upload have arrived, and whether the photo is
 * stored. The bytes are in a photo storage (server/photos/photo-storage.ts).
 *
 *   addPhoto ──▶ uploading ── claimUpload, advanceUpload, ... ──▶ all bytes ── finishPhoto ──▶ stored
 *                    ▲                                               │                            │
 *                    ├──────── advanceUpload to 0: not a photo ──────┘                            │
 *                    └──────── restartUpload: its bytes are gone ─────────────────────────────────┘
 *
 * A request must claim the upload before it writes bytes, so that two requests never write at once. If the process of a
 * claim dies, the claim expires.
 */
import type { EventActor } from '../../../shared/schema/integration/account-event.ts';
import type { PhotoType } from '../../../shared/schema/photos/photo-types.ts';

/** An account's photo limit counts this much for each row, since a thumbnail takes up to 32 KiB of the database. */
export const photoRowBytes = 32 * 1024;

export interface NewPhoto {
  /** The lower-case hex of the SHA-256 of the bytes. */
  id: string;
  content_type: PhotoType;
  bytes: number;
  /** The width in pixels. The height is in pixels, too. */
  width: number;
  height: number;
  /** base64; null if there is none. */
  thumbnail: string | null;
}

export interface PhotoRow extends NewPhoto {
  received_bytes: number;
  /** When the last bytes arrived, or the photo was added. */
  received_at: string;
  /** null until the upload is complete and verified. */
  stored_at: string | null;
}

export interface UploadClaim {
  /** Identifies the request that has the claim. */
  claim: string;
  /** The offset at which the request will write. */
  offset: number;
  now: string;
  /** When the claim expires. */
  until: string;
  /** The claim fails if the upload got a byte at or after this instant. */
  receivedBefore?: string | undefined;
}

export interface UploadAdvance {
  claim: string;
  offset: number;
  now: string;
  /** True if the request keeps the claim, since it has more to do before other requests may write. */
  keepsClaim?: boolean;
}

export interface PhotoFinish {
  claim: string;
  now: string;
  /** The device or API key that sent the last bytes. */
  actor: EventActor;
}

export interface LostPhoto {
  storedAt: string;
  now: string;
}

export interface PhotoStore {
  /**
   * Adds a photo unless the account has it, and returns the stored row. Returns undefined if the account's photos, each
   * with `photoRowBytes`, would exceed `bytesMax`. Photos added at the same moment may exceed `bytesMax`.
   */
  addPhoto(accountId: string, photo: NewPhoto, limit: { bytesMax: number; now: string }): Promise<PhotoRow | undefined>;
  photo(accountId: string, id: string): Promise<PhotoRow | undefined>;
  /** Returns false if the upload is at another offset, claimed by another request, or finished. */
  claimUpload(accountId: string, id: string, claim: UploadClaim): Promise<boolean>;
  /**
   * Moves the upload to `offset`. Gives the claim back unless `keepsClaim` is true. Returns false if another request
   * has the claim.
   */
  advanceUpload(accountId: string, id: string, advance: UploadAdvance): Promise<boolean>;
  /** Gives the claim back. Has no effect if another request has it. */
  releaseUpload(accountId: string, id: string, claim: string): Promise<void>;
  /** Marks a photo as stored. Returns false if its upload is not complete, or another request has the claim. */
  finishPhoto(accountId: string, id: string, finish: PhotoFinish): Promise<boolean>;
  /** Replaces the size in pixels and the thumbnail, unless all bytes of the photo have arrived. */
  correctPhoto(accountId: string, photo: NewPhoto): Promise<void>;
  /**
   * Turns a stored photo whose bytes are gone into an upload at offset 0. Has no effect if `stored_at` of the row is
   * not `storedAt`: a client has uploaded the photo again since then.
   */
  restartUpload(accountId: string, id: string, photo: LostPhoto): Promise<void>;
  /** Removes an upload. Returns false if there is no such upload, or if another request has the claim. */
  removePhoto(accountId: string, id: string, claim: string): Promise<boolean>;
  /** Lists the ids of uploads that got no bytes since `receivedBefore`, the longest idle first. */
  idleUploads(accountId: string, query: { receivedBefore: string; limit: number }): Promise<string[]>;
}
