/** The parts of the relay that a face has: a watch hands over, a phone carries. */
import type { Carrier, HandOver } from '../../client.ts';

interface FaceParts {
  carrier?: Pick<Carrier, 'attach'>;
  handOver?: HandOver;
}

const carrier: FaceParts['carrier'] = {
  attach: (...engine) => import('./attached-carrier.ts').then((loaded) => loaded.attachedCarrier.attach(...engine)),
};

let parts: FaceParts = {};

/** Must be called before the engine opens. */
export const setRelayParts = (chosen: FaceParts): unknown => (parts = chosen);

export const relayParts = (face: string): FaceParts => (face === 'phone' ? { carrier } : parts);

export const handOver = (): HandOver | undefined => parts.handOver;
