import type { RxStorage } from 'rxdb';

/** RxDB's own type of a storage, for tests that put faults into one. `DeviceStorage` is what the engine's users see of it. */
export type AnyRxStorage = RxStorage<unknown, unknown>;
