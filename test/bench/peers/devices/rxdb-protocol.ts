/** The device's side of RxDB's replication, which Node and the browser share. */
import type { Document } from '../work.ts';

export interface PulledCheckpoint {
  seq: number;
}

interface Pulled {
  documents: (Document & { _deleted: boolean })[];
  checkpoint: PulledCheckpoint;
}

export const rxdbSchema = {
  version: 0,
  primaryKey: 'id',
  type: 'object',
  properties: {
    id: { type: 'string', maxLength: 64 },
    kind: { type: 'string' },
    body: { type: 'object' },
  },
  required: ['id', 'kind', 'body'],
} as const;

/** `suffix` ends the query, such as `&gzip`. */
export const pullHandler =
  (url: string, space: string, suffix = '') =>
  async (last: PulledCheckpoint | undefined, limit: number): Promise<Pulled> => {
    const response = await fetch(`${url}/pull?space=${space}&seq=${last?.seq ?? 0}&limit=${limit}${suffix}`);
    return (await response.json()) as Pulled;
  };
