/** Gives changed records their versions. Device and server do this in the same order: a map before its run. */
import type { MapDoc } from '../schema/map.ts';
import type { RunDoc } from '../schema/run.ts';

/** Gives a changed map the version under which it is written. `before` is undefined for a new map. */
export function withMapVersion(changed: MapDoc, before: MapDoc | undefined, version: number): MapDoc {
  return { ...changed, version, created_version: before?.created_version ?? version };
}

/** Gives a run the version under which it is written. */
export const withRunVersion = (run: RunDoc, version: number): RunDoc => ({ ...run, version });
