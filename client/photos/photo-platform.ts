import type { PhotoFiles } from './photo-files.ts';
import type { NetworkConnection } from './photo-policy.ts';
import type { PhotoEncoder } from './encode/photo-worker-client.ts';

/** Replaces the encoder, the files or the connection that photos use on this platform. */
export interface PhotoPlatform {
  /** Default: a canvas in a worker of the browser. Node has none, so every picture is `photo_unreadable` there. */
  encoder?: PhotoEncoder;
  /** Default: the browser's private file system, or rows of `storage` if that is given. */
  files?: PhotoFiles;
  /** Default: `navigator.connection`, which only Chromium has. */
  connection?: NetworkConnection;
}

export interface PhotoParts {
  /** Replaces the encoder, the files or the connection that photos use on this platform. */
  photos?: PhotoPlatform;
}
