/** The public verbs and states of a device's photos. The verbs that take or remove a photo are on `Recording`. */
import type { Observable } from 'rxjs';
import type { PhotoPolicy } from './row-shapes.ts';

/**
 * Why photos wait. `metered`: the policy wants an unmetered network or a person's consent. `offline`: there is no
 * network. `quota`: the account may store no more photos. `server`: the server stores no photos.
 */
export type PhotosHold = 'metered' | 'offline' | 'quota' | 'server' | PhotosDelay;

/**
 * `retry`: the next attempt waits after a failure, or because the server asked. `sync`: the recordings go first.
 * `blocked`: this device may not sync, for the reason in `status$`.
 */
type PhotosDelay = 'retry' | 'sync' | 'blocked';

/** Counts the photos that the server does not have. */
export interface PhotosStatus {
  /** How many photos of finished recordings must still be sent. */
  pending: number;
  /** How many bytes of these photos the server lacks. */
  bytes: number;
  /** Why these photos wait; null while they are being sent, or if there are none. */
  held_by: PhotosHold | null;
  policy: PhotoPolicy;
  /** How many photos the server refused for good. `retryPhotos` sends them again. */
  refused: number;
  /** How many photos this device lost before the server had them, since the browser removed the files. */
  lost: number;
}

export type PhotoSize = 'photo' | 'thumbnail';

export interface PhotoVerbs {
  /** Emits how many photos of finished recordings the server lacks, and why these photos wait. */
  photos$: Observable<PhotosStatus>;
  /**
   * Emits `awaited` until this device or the server has the photo or its thumbnail. Then emits that picture and
   * completes.
   */
  photo$(photoId: string, size?: PhotoSize): Observable<Blob | 'awaited'>;
  /**
   * Sets when photos are sent. Thumbnails are always sent. Default: `wifi`, which excludes networks that the browser
   * calls metered.
   */
  setPhotoPolicy(policy: PhotoPolicy): Promise<void>;
  /** Sends all photos on this device, whatever the policy says, and tries refused ones again. */
  sendPhotosNow(): Promise<void>;
  /**
   * Tries again to send photos that failed, that the server refused, or that wait because the account is full or the
   * server stores no photos. The policy still applies to these photos.
   */
  retryPhotos(): Promise<void>;
}
