import type { MutationArgs, MutationName } from '../../../shared/schema/mutation.ts';
import { currentVersion } from '../../../shared/schema/mutation-versions.ts';
import { isMutationName } from '../../core/validate.ts';

/** A mutation about to be made. */
export type NewMutation = { [Name in MutationName]: { name: Name; args: MutationArgs[Name] } }[MutationName];

/** Pairs a name with args that were validated for it, or come from a row of the outbox. */
export function mutationOf({ name, args }: { name: MutationName; args: object }): NewMutation {
  return { name, args } as NewMutation;
}

export const isRecording = ({ name }: { name: MutationName }): boolean =>
  name === 'upload_recording' || name === 'record_new_map';

/** Whether this version of the app knows the mutation: a newer one may have written it before this one was opened again. */
export const isKnown = ({ name, version = 1 }: { name: string; version?: number }): boolean =>
  isMutationName(name) && version <= currentVersion(name);
