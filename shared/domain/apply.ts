/**
 * The rules, once: `apply` runs on a device, optimistically, and on the server, with authority. It is pure and
 * deterministic, and a refusal changes nothing.
 */
import type { CompleteArgs, Mutation, MutationName } from '../schema/mutation.ts';
import { mapMutations } from './apply-map.ts';
import { recordingMutations } from './apply-recording.ts';
import { stageMutations } from './apply-stage.ts';
import type { Context, Outcome, State } from './state.ts';

export function apply(state: State, mutation: Mutation, context: Context): Outcome {
  const rule = rules[mutation.name] as Rule<MutationName>;
  return rule(state, mutation.args, context);
}

export type Rule<Name extends MutationName> = (state: State, args: CompleteArgs[Name], context: Context) => Outcome;

const rules: { [Name in MutationName]: Rule<Name> } = { ...mapMutations, ...stageMutations, ...recordingMutations };
