/** Finds the store of an observable, so that components that look at the same thing share it. */
import type { Observable } from 'rxjs';
import type { Gemba } from '../client.ts';
import { Observed } from './observed.ts';

/** The shared store of each long-lived observable, such as `gemba.maps$`. */
const bySource = new WeakMap<Observable<unknown>, Observed<unknown>>();

export function observedOf<Value>(source$: Observable<Value>): Observed<Value> {
  const known = bySource.get(source$) as Observed<Value> | undefined;
  if (known) return known;
  const observed = new Observed(() => source$);
  bySource.set(source$, observed);
  return observed;
}

/** The stores of observables that a method such as `gemba.map$` makes anew in each call, by the id that it is given. */
export class ObservedById<Id, Value> {
  readonly #create: (gemba: Gemba, id: Id) => Observable<Value>;
  readonly #byGemba = new WeakMap<Gemba, Map<Id, Observed<Value>>>();

  constructor(create: (gemba: Gemba, id: Id) => Observable<Value>) {
    this.#create = create;
  }

  /** Keeps a store only while the store is connected, since a server never connects one. */
  of(gemba: Gemba, id: Id): Observed<Value> {
    const known = this.#byGemba.get(gemba) ?? new Map<Id, Observed<Value>>();
    this.#byGemba.set(gemba, known);
    const observed: Observed<Value> =
      known.get(id) ??
      new Observed(() => this.#create(gemba, id), {
        onConnect: () => known.has(id) || known.set(id, observed),
        onRelease: () => known.get(id) === observed && known.delete(id),
      });
    return observed;
  }
}
