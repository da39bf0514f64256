import type { Outcome } from '../../shared/domain/state.ts';
import type { Mutation } from '../../shared/schema/mutation.ts';
import { aim, type Event } from './mutations.ts';
import type { World } from './world.ts';

export interface Happening {
  mutation: Mutation;
  outcome: Outcome;
  now: string;
}

/** Applies the events to the model one after the other and calls `after` for each. */
export function happen(world: World, events: Event[], after: (happening: Happening) => void = () => {}): World {
  for (const { mutation: drawn, now } of events) {
    const mutation = aim(world, drawn);
    after({ mutation, outcome: world.commit(mutation, { now }), now });
  }
  return world;
}
