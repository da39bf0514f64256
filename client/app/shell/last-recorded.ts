export const sortedByLastRecorded = <Map extends MapRecord>(maps: readonly Map[]): Map[] =>
  maps.toSorted((a, b) => (b.last_run_at ?? '').localeCompare(a.last_run_at ?? ''));
import type { MapRecord } from '../../client.ts';
