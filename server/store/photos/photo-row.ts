/**
 * Photos as the database knows them: what was declared, how much of the upload has arrived, and whether it is stored. The
 * bytes are in a photo storage (server/photos/photo-storage.ts).
 *
 *   addPhoto ──▶ uploading ── claimUpload, advanceUpload, ... ──▶ all bytes ── finishPhoto ──▶ stored
 *                    ▲                                               │                            │
 *                    ├──────── advanceUpload to 0: not a photo ──────┘                            │
 *                    └──────── awaitPhoto: its bytes are gone ────────────────────────────────────┘
 *
 * A request must claim the upload before it writes bytes, so that two requests never write at once. A claim that nobody
 * gives back, since its process died, ends by itself.
 */
import type { EventActor } from '../../../shared/schema/integration/account-event.ts';
import type { PhotoType } from '../../../shared/schema/photos/photo-types.ts';

/** Counts for the row of each photo in the limit of its account, since a thumbnail takes up to 32 KiB of the database. */
export const photoRowBytes = 32 * 1024;

export interface NewPhoto {
  /** The lower-case hex of the SHA-256 of the bytes. */
  id: string;
  content_type: PhotoType;
  bytes: number;
  /** In pixels. */
  width: number;
  height: number;
  /** base64; null if there is none. */
  thumbnail: string | null;
}

export interface PhotoRow extends NewPhoto {
  received_bytes: number;
  /** When the last bytes arrived, or the photo was added. */
  received_at: string;
  /** null while it is uploading. */
  stored_at: string | null;
}

export interface UploadClaim {
  /** Identifies the request that has the claim. */
  claim: string;
  /** The offset at which it will write. */
  offset: number;
  now: string;
  /** When the claim ends by itself. */
  until: string;
  /** Claims only an upload that got no byte since this instant. */
  receivedBefore?: string | undefined;
}

export interface UploadAdvance {
  claim: string;
  offset: number;
  now: string;
  /** True if the request has more to do before others may write. */
  keepsClaim?: boolean;
}

export interface PhotoFinish {
  claim: string;
  now: string;
  /** Sent the last bytes. */
  actor: EventActor;
}

export interface LostPhoto {
  storedAt: string;
  now: string;
}

export interface PhotoStore {
  /**
   * Adds a photo unless the account has it, and returns the account's photo of this id; undefined if there is no room for a
   * new one, with `photoRowBytes` for each. Photos that are added at the same moment may go beyond `bytesMax`.
   */
  addPhoto(accountId: string, photo: NewPhoto, limit: { bytesMax: number; now: string }): Promise<PhotoRow | undefined>;
  photo(accountId: string, id: string): Promise<PhotoRow | undefined>;
  /** Returns false if the upload is at another offset, claimed by another request, or finished. */
  claimUpload(accountId: string, id: string, claim: UploadClaim): Promise<boolean>;
  /** Moves the upload to `offset` and gives the claim back. Returns false if another request has the claim meanwhile. */
  advanceUpload(accountId: string, id: string, advance: UploadAdvance): Promise<boolean>;
  /** Gives the claim back. Has no effect if another request has it. */
  releaseUpload(accountId: string, id: string, claim: string): Promise<void>;
  /** Marks a photo as stored. Returns false if its upload is not complete, or another request has the claim. */
  finishPhoto(accountId: string, id: string, finish: PhotoFinish): Promise<boolean>;
  /** Corrects what can be wrong about the same bytes, until all of them are there: the size in pixels and the thumbnail. */
  correctPhoto(accountId: string, photo: NewPhoto): Promise<void>;
  /**
   * Makes a stored photo one whose upload is at 0, since its bytes are gone. Has no effect on a photo that was stored at
   * another time than `storedAt`: it was uploaded again meanwhile.
   */
  awaitPhoto(accountId: string, id: string, photo: LostPhoto): Promise<void>;
  /** Removes an upload. Returns false if there is none, or another request has the claim. */
  removePhoto(accountId: string, id: string, claim: string): Promise<boolean>;
  /** Lists the ids of uploads that got no bytes since an instant, the oldest first. */
  idleUploads(accountId: string, query: { receivedBefore: string; limit: number }): Promise<string[]>;
}
