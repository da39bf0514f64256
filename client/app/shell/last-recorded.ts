import type { MapRecord } from '../../../shared/schema/map.ts';

export const lastRecordedFirst = <Of extends MapRecord>(maps: readonly Of[]): Of[] =>
  maps.toSorted((a, b) => (b.last_run_at ?? '').localeCompare(a.last_run_at ?? ''));
