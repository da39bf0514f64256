import type { MutationArgs, MutationName } from '../../../shared/schema/mutation.ts';

/** A mutation about to be made. */
export type NewMutation = { [Name in MutationName]: { name: Name; args: MutationArgs[Name] } }[MutationName];

/** A name and the args that belong to it: what was validated, or comes from a row of the outbox. */
export function mutationOf({ name, args }: { name: MutationName; args: object }): NewMutation {
  return { name, args } as NewMutation;
}

export const isRecording = ({ name }: { name: MutationName }): boolean =>
  name === 'upload_recording' || name === 'record_new_map';
