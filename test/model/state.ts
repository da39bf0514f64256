/** The state of the model, and the bounds of its exploration. */
import type { Device, MutationKind } from './device-state.ts';
import type { ServerState } from './server.ts';

export interface Bound {
  devices: number;
  /** The changes on a page of a pull; unlimited by default. */
  pageMax?: number;
  /** Each is made by any device. One device makes its mutations in this order. */
  mutations: readonly MutationKind[];
  crashes: number;
  losses: number;
  /** Requests that reach the server after their device has given up on them. */
  late: number;
  restores: number;
  copies: number;
}

export type Faults = Omit<Bound, 'devices' | 'mutations' | 'pageMax'>;

export interface ModelState {
  devices: readonly Device[];
  server: ServerState;
  backup?: ServerState;
  /** The marks that each earlier epoch of the server had at its end. */
  past: Readonly<Record<string, readonly string[]>>;
  late: readonly Device[];
  left: Faults;
}
