/** The parts of the relay that a face has: a watch hands over, a phone also carries. Their code loads when the engine has opened. */
import type { GembaOptions } from '../../client.ts';

type RelayParts = Pick<GembaOptions, 'carrier' | 'handOver'>;

export const loadHandOver = () => import('./attached-hand-over.ts').then(({ attachedHandOver }) => attachedHandOver);

const carrier: RelayParts['carrier'] = {
  attach: (...engine) =>
    void import('./attached-carrier.ts').then(({ attachedCarrier }) => attachedCarrier.attach(...engine)),
};
const handOver: RelayParts['handOver'] = {
  attach: (...engine) => void loadHandOver().then((part) => part.attach(...engine)),
  rememberKeys: (list) => loadHandOver().then((part) => part.rememberKeys(list)),
};

export const relayParts = (face: string): RelayParts =>
  face === 'phone' ? { carrier, handOver } : face === 'watch' ? { handOver } : {};
