/**
 * ETags of maps and runs. Each write gives a record a new version, so the ETags are strong validators (RFC 9110,
 * 8.8.3).
 */

export function etagOf({ id, version }: { id: string | number; version: number }): string {
  return `"${id}-${version}"`;
}

/** Appends `part`, a hash of the data that a reply has in addition to the record, such as the state of its photos. */
export const etagWithPart = (etag: string, part: string): string => `${etag.slice(0, -1)}.${part}"`;

/**
 * Compares an `If-Match` header with the ETag of a record. A weak tag in the header never matches. A tag matches even
 * if `etagWithPart` appended a part to it.
 */
export function etagMatchesIfMatch(etag: string, header: string): boolean {
  return header.trim() === '*' || parseETags(header).some((tag) => tag.replace(/\.[0-9a-f]+"$/, '"') === etag);
}

/** Compares an `If-None-Match` header with the ETag. The comparison is weak. */
export function etagMatchesIfNoneMatch(etag: string, header: string): boolean {
  return header.trim() === '*' || parseETags(header).some((tag) => tag.replace(/^W\//, '') === etag);
}

const parseETags = (header: string): string[] => header.match(/(?:W\/)?"[^"]*"/g) ?? [];
