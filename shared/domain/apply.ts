/**
 * The domain rules. A device and the server both run `apply`. The device shows the outcome before the server has the
 * mutation, and the server decides. `apply` is pure and deterministic, and a refusal changes nothing.
 */
import { deviceMadeIdMin } from '../schema/limits.ts';
import type { Mutation, MutationName } from '../schema/mutation.ts';
import { mapMutationRules } from './apply-map.ts';
import { recordingMutationRules } from './apply-recording.ts';
import { runMutationRules } from './apply-run.ts';
import { stageMutationRules } from './apply-stage.ts';
import { assert } from './assert.ts';
import type { ApplyContext, ApplyOutcome, MutationRule, DomainState } from './state.ts';

export function apply(state: DomainState, mutation: Mutation, context: ApplyContext): ApplyOutcome {
  const rule = rules[mutation.name] as MutationRule<MutationName>;
  const outcome = rule(state, mutation.args, context);
  const idsTaken = outcome.ok ? outcome.idsTaken : 0;
  // Ids from `deviceMadeIdMin` on are made by devices. A server-made id in that range could equal the id of another
  // record.
  assert(
    idsTaken === 0 || context.firstFreeId + idsTaken <= deviceMadeIdMin,
    'the account has no server-made ids left',
  );
  return outcome;
}

const rules: { [Name in MutationName]: MutationRule<Name> } = {
  ...mapMutationRules,
  ...stageMutationRules,
  ...recordingMutationRules,
  ...runMutationRules,
};
