/** The options by which an engine takes part in the relay. */
import type { HandOver } from './hand-over.ts';
import type { Carrier } from './open-carrying.ts';

export interface RelayParts {
  /** Carries sealed requests of devices without a network; made by `createCarrier`, one for each engine. */
  carrier?: Pick<Carrier, 'attach'>;
  /** Hands the work over to carriers; made by `createHandOver`, one for each engine. */
  handOver?: Pick<HandOver, 'attach' | 'rememberKeys'>;
}
