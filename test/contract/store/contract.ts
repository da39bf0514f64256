/**
 * What both drivers promise, as one suite. `place` is a fresh database; each `open` on it is what another server process
 * would open.
 */
import { afterAll, beforeAll, describe } from 'vitest';
import type { Store } from '../../../server/store/store.ts';
import { accessPromises } from './contract-access.ts';
import { accountPromises } from './contract-accounts.ts';
import { changesPromises } from './contract-changes.ts';
import { readPromises } from './contract-reads.ts';
import { transactPromises } from './contract-transact.ts';

export interface Place {
  open(): Promise<Store>;
  remove(): Promise<void>;
}

export interface Subject {
  /** A store that stays open for the whole suite. */
  store(): Store;
  open(): Promise<Store>;
  newPlace(): Promise<Place>;
}

export function storeContract(name: string, newPlace: () => Promise<Place>): void {
  describe(`${name} store`, () => {
    let place: Place;
    let store: Store;
    beforeAll(async () => {
      place = await newPlace();
      store = await place.open();
    });
    afterAll(async () => {
      await store?.close();
      await place?.remove();
    });
    const subject: Subject = { store: () => store, open: () => place.open(), newPlace };
    transactPromises(subject);
    readPromises(subject);
    changesPromises(subject);
    accountPromises(subject);
    accessPromises(subject);
  });
}
