import type { Store } from '../../../server/store/store.ts';

export interface FreshDatabase {
  open(): Promise<Store>;
  remove(): Promise<void>;
}

export interface StoreUnderTest {
  /** A store that stays open for the whole suite. */
  store(): Store;
  open(): Promise<Store>;
  newDatabase(): Promise<FreshDatabase>;
}
