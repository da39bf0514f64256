/** Limits the path and the fields of an inner request, as the server limits those of any other. */
import type { BinaryRequest } from '../../../shared/relay/binary-http.ts';

export const innerHeaderBytesMax = 64 * 1024;

/** Each field takes some bytes beside its name and value. */
const bytesPerField = 4;

export function headerBytesOf({ path, fields }: BinaryRequest): number {
  return fields.reduce((sum, [name, value]) => sum + name.length + value.length + bytesPerField, path.length);
}
