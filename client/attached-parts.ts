/** Defines the options that attach optional parts to an engine. Each part belongs to one engine. */
import type { HandOverPart } from './hand-over.ts';
import type { InspectorPart } from './inspect/inspector.ts';
import type { CarrierPart } from './open-carrying.ts';

export interface AttachedParts {
  /**
   * Carries sealed requests of devices without a network to the server. Made by `createCarrier`, one for each engine.
   */
  carrier?: CarrierPart;
  /** Hands this device's work over to carriers. Made by `createHandOver`, one for each engine. */
  handOver?: HandOverPart;
  /** Shows what the engine does. Made by `createInspector` of `gemba/devtools`, one for each engine. */
  inspector?: InspectorPart;
}
