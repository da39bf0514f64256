/** Finds the store of an observable, so that all components that read it share one store. */
import type { Observable } from 'rxjs';
import type { Gemba } from '../client.ts';
import { ObservableStore } from './observable-store.ts';

/** The shared store of each long-lived observable, such as `gemba.maps$`. */
const storesBySource = new WeakMap<Observable<unknown>, ObservableStore<unknown>>();

export function storeOf<Value>(source$: Observable<Value>): ObservableStore<Value> {
  const known = storesBySource.get(source$) as ObservableStore<Value> | undefined;
  if (known) return known;
  const store = new ObservableStore(() => source$);
  storesBySource.set(source$, store);
  return store;
}

/** Stores by id, for observables that a method such as `gemba.map$` makes anew in each call. */
export class StoresById<Id, Value> {
  readonly #create: (gemba: Gemba, id: Id) => Observable<Value>;
  readonly #byGemba = new WeakMap<Gemba, Map<Id, ObservableStore<Value>>>();

  constructor(create: (gemba: Gemba, id: Id) => Observable<Value>) {
    this.#create = create;
  }

  /**
   * Returns the store of an id. The cache keeps only connected stores. A server connects no store, so it keeps none.
   */
  of(gemba: Gemba, id: Id): ObservableStore<Value> {
    const known = this.#byGemba.get(gemba) ?? new Map<Id, ObservableStore<Value>>();
    this.#byGemba.set(gemba, known);
    const store: ObservableStore<Value> =
      known.get(id) ??
      new ObservableStore(() => this.#create(gemba, id), {
        onConnect: () => known.has(id) || known.set(id, store),
        onRelease: () => known.get(id) === store && known.delete(id),
      });
    return store;
  }
}
