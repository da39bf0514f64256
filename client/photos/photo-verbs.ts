/** The photos of a device, as the public API has them. `Recording` has the verbs that take and remove a photo. */
import type { Observable } from 'rxjs';
import type { PhotoPolicy } from './row-shapes.ts';

/**
 * `metered`: for a network that costs nothing, or for a person, by the policy. `offline`: for a network.
 * `quota`: the account may have no more photos. `server`: the server keeps none.
 */
export type PhotosHold = 'metered' | 'offline' | 'quota' | 'server' | PhotosDelay;

/**
 * `retry`: the last attempt failed, or the server asked to wait. `sync`: recordings go first. `blocked`: this device may not
 * sync, for the reason that `status$` has.
 */
type PhotosDelay = 'retry' | 'sync' | 'blocked';

/** The photos that the server does not have. */
export interface PhotosStatus {
  /** How many photos of finished recordings are to be sent. */
  pending: number;
  /** How many of their bytes the server lacks. */
  bytes: number;
  /** Why they wait; null while they are being sent, or there is none. */
  held_by: PhotosHold | null;
  policy: PhotoPolicy;
  /** How many photos the server refused for good. `retryPhotos` tries them again. */
  refused: number;
  /** How many photos this device lost before the server had them, since the browser removed its files. */
  lost: number;
}

export type PhotoSize = 'photo' | 'thumbnail';

export interface PhotoVerbs {
  /** Emits the photos of finished recordings that the server does not have yet, and why they wait. */
  photos$: Observable<PhotosStatus>;
  /**
   * Emits the photo with this id, or its thumbnail, once this device or the server has it, and `awaited` until then. Ends
   * with the photo.
   */
  photo$(photoId: string, size?: PhotoSize): Observable<Blob | 'awaited'>;
  /** Decides when photos are sent. Thumbnails are always sent. Default: `wifi`, if the browser tells the network. */
  setPhotoPolicy(policy: PhotoPolicy): Promise<void>;
  /** Sends all photos that are here, whatever the policy says, and tries those again that the server refused. */
  sendPhotosNow(): Promise<void>;
  /** Tries those again that failed, were refused, or found no room. The policy holds for them as before. */
  retryPhotos(): Promise<void>;
}
