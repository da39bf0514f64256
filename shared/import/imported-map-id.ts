/** The ids of maps that an import makes: UUIDs of version 8 (RFC 9562, 5.8), which nothing else makes. */

/** Makes the id of a hash in hex. */
export function importedMapId(hex: string): string {
  const variant = '89ab'[Number.parseInt(hex[16]!, 16) % 4];
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

export const isImportedMapId = (mapId: string): boolean => mapId[14] === '8';
