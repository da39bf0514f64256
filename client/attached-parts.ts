/** The options by which parts attach to an engine, each made for that engine alone. */
import type { HandOverPart } from './hand-over.ts';
import type { InspectorPart } from './inspect/inspector.ts';
import type { CarrierPart } from './open-carrying.ts';

export interface AttachedParts {
  /** Carries sealed requests of devices without a network; made by `createCarrier`, one for each engine. */
  carrier?: CarrierPart;
  /** Hands the work over to carriers; made by `createHandOver`, one for each engine. */
  handOver?: HandOverPart;
  /** Shows what the engine does; made by `createInspector` of `gemba/devtools`, one for each engine. */
  inspector?: InspectorPart;
}
