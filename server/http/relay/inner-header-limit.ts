/** Limits the path and the headers of an inner request, as the server limits the headers of any other request. */
import type { BinaryRequest } from '../../../shared/relay/binary-http.ts';

export const innerHeaderBytesMax = 64 * 1024;

/** Counts the separators of each field, in addition to its name and value. */
const bytesPerField = 4;

export function headerBytesOf({ path, fields }: BinaryRequest): number {
  return fields.reduce((sum, [name, value]) => sum + name.length + value.length + bytesPerField, path.length);
}
