/**
 * A mutation may wait on a device for months while the server is updated. When the `args` of a mutation change, an
 * upcaster converts old args to the new version. The device converts its outbox, and the server converts the pushes of
 * older devices. No mutation is dropped because it is old.
 */
import type { MutationName } from './mutation.ts';

type Args = Record<string, unknown>;

/** The upcaster at index 0 converts args from version 1 to 2, and so on. Upcasters are pure and are never removed. */
type Upcasters = Partial<Record<MutationName, ((args: Args) => Args)[]>>;

export const upcasters: Upcasters = {};

/** The current version of this mutation's `args`; the first version is 1. */
export const currentVersion = (name: MutationName): number => 1 + (upcasters[name]?.length ?? 0);

/** Converts args to the current version; undefined if their version is newer than this code. */
export function upcast({
  name,
  version = 1,
  args,
}: {
  name: MutationName;
  version?: number;
  args: Args;
}): Args | undefined {
  if (version > currentVersion(name)) return undefined;
  return (upcasters[name] ?? []).slice(version - 1).reduce((older, newer) => newer(older), args);
}
