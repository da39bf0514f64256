import type { ApplyOutcome } from '../../shared/domain/state.ts';
import type { Mutation } from '../../shared/schema/mutation.ts';
import { resolveIds, type MutationEvent } from './mutations.ts';
import type { AccountModel } from './account-model.ts';

export interface AppliedEvent {
  mutation: Mutation;
  outcome: ApplyOutcome;
  now: string;
}

/** Applies the events to the model one after the other and calls `after` for each. */
export function applyEvents(
  model: AccountModel,
  events: MutationEvent[],
  after: (event: AppliedEvent) => void = () => {},
): AccountModel {
  for (const { mutation: drawn, now } of events) {
    const mutation = resolveIds(model, drawn);
    after({ mutation, outcome: model.commit(mutation, { now }), now });
  }
  return model;
}
