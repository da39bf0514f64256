/** The options by which an engine takes part in the relay. */
import type { HandOverPart } from './hand-over.ts';
import type { CarrierPart } from './open-carrying.ts';

export interface RelayParts {
  /** Carries sealed requests of devices without a network; made by `createCarrier`, one for each engine. */
  carrier?: CarrierPart;
  /** Hands the work over to carriers; made by `createHandOver`, one for each engine. */
  handOver?: HandOverPart;
}
