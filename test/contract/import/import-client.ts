import type { Api, Received } from '../fixture.ts';

export interface SendOptions {
  query?: Record<string, string>;
  headers?: Record<string, string>;
}

/** Sends a file of steps. */
export const importFile = (
  api: Api,
  file: string | Uint8Array,
  { query = {}, headers = {} }: SendOptions = {},
): Promise<Received> =>
  api.send('POST', `/api/v1/import?${new URLSearchParams(query)}`, {
    raw: file,
    headers: { 'Content-Type': 'text/csv', ...headers },
  });

export const createMaps = { create_maps: 'true' };

/** A file of recordings of one map, of one step each, whose keys are 0, 1, 2... */
export const fileOf = (count: number, mapName = 'Assembly'): string =>
  [
    'map_name,case_id,stage_name,duration_secs',
    ...Array.from({ length: count }, (_, index) => `${mapName},${index},Drill,${index + 1}`),
  ].join('\n');
