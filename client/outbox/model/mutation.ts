import type { MutationArgs, MutationName } from '../../../shared/schema/mutation.ts';
import { currentVersion } from '../../../shared/schema/mutation-versions.ts';
import { isMutationName } from '../../core/validate.ts';

/** A mutation that is not in the outbox yet. */
export type NewMutation = { [Name in MutationName]: { name: Name; args: MutationArgs[Name] } }[MutationName];

/** The caller must have validated the args, or read them from a stored row. */
export function newMutation({ name, args }: { name: MutationName; args: object }): NewMutation {
  return { name, args } as NewMutation;
}

/** False for a mutation that a newer version of the app stored before the app was downgraded. */
export const isKnownMutation = ({ name, version = 1 }: { name: string; version?: number }): boolean =>
  isMutationName(name) && version <= currentVersion(name);
