/**
 * Mutations may lie on a device for months, and reach a server that has learned since. When the shape of a mutation's
 * args changes, an upcaster here makes the new shape of the old one: on the device when it reads its outbox, on the
 * server when an older device pushes. Nothing is ever thrown away for being old.
 */
import type { MutationName } from './mutation.ts';

type Args = Record<string, unknown>;

/** The one at index 0 makes args of version 2 of those of version 1, and so on. Pure; what is in it stays for ever. */
type Upcasters = Partial<Record<MutationName, ((args: Args) => Args)[]>>;

export const upcasters: Upcasters = {};

/** What `args` of this mutation are now, counted from 1. */
export const currentVersion = (name: MutationName): number => 1 + (upcasters[name]?.length ?? 0);

/** The args in their shape of now; undefined when they are of a version that this code does not know yet. */
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
