/** The ids of photos: `sha256:` and the SHA-256 of the bytes in lower-case hex. */

/** A photo's id in requests, responses and steps, from its hex digits. */
export const photoIdOf = (hex: string): string => `sha256:${hex}`;

/** Returns the hex digits of a photo's id; undefined if no photo can have this id. */
export const hexOfPhotoId = (id: string | undefined): string | undefined =>
  /^sha256:([0-9a-f]{64})$/.exec(id ?? '')?.[1];
