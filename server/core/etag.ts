/**
 * ETags of maps and runs. Each write gives a record a new version, so the ETags are strong validators (RFC 9110, 8.8.3).
 */

export function etagOf({ id, version }: { id: string | number; version: number }): string {
  return `"${id}-${version}"`;
}

/** Compares an `If-Match` header with the ETag. The comparison is strong, so a weak tag never matches. */
export function etagMatchesIfMatch(etag: string, header: string): boolean {
  return header.trim() === '*' || parseETags(header).includes(etag);
}

/** Compares an `If-None-Match` header with the ETag. The comparison is weak. */
export function etagMatchesIfNoneMatch(etag: string, header: string): boolean {
  return header.trim() === '*' || parseETags(header).some((tag) => tag.replace(/^W\//, '') === etag);
}

const parseETags = (header: string): string[] => header.match(/(?:W\/)?"[^"]*"/g) ?? [];
