/** Strong validators (RFC 9110, 8.8.3) of maps and runs: each written record has a version of its own. */

export function etagOf({ id, version }: { id: string | number; version: number }): string {
  return `"${id}-${version}"`;
}

/** Whether an `If-Match` lets the request through: strong comparison, so a weak tag never does. */
export function ifMatchHolds(header: string, etag: string): boolean {
  return header.trim() === '*' || tagsOf(header).includes(etag);
}

/** Whether an `If-None-Match` says that the client has this already: weak comparison. */
export function ifNoneMatchHits(header: string, etag: string): boolean {
  return header.trim() === '*' || tagsOf(header).some((tag) => tag.replace(/^W\//, '') === etag);
}

const tagsOf = (header: string): string[] => header.match(/(?:W\/)?"[^"]*"/g) ?? [];
