/**
 * ETags of maps and runs. Each write gives a record a new version, so the ETags are strong validators (RFC 9110,
 * 8.8.3).
 */

export function etagOf({ id, version }: { id: string | number; version: number }): string {
  return `"${id}-${version}"`;
}

/** Makes the ETag of a reply that has more than the record, such as the state of the record's photos. */
export const etagWithPart = (etag: string, part: string): string => `${etag.slice(0, -1)}.${part}"`;

/**
 * Compares an `If-Match` header with the ETag of a record. The comparison is strong, so a weak tag never matches. A tag
 * that `etagWithPart` made matches, too.
 */
export function etagMatchesIfMatch(etag: string, header: string): boolean {
  return header.trim() === '*' || parseETags(header).some((tag) => tag.replace(/\.[0-9a-f]+"$/, '"') === etag);
}

/** Compares an `If-None-Match` header with the ETag. The comparison is weak. */
export function etagMatchesIfNoneMatch(etag: string, header: string): boolean {
  return header.trim() === '*' || parseETags(header).some((tag) => tag.replace(/^W\//, '') === etag);
}

const parseETags = (header: string): string[] => header.match(/(?:W\/)?"[^"]*"/g) ?? [];
