/** The parts of the relay that a face has: a watch hands over, a phone carries. Their code loads when the engine has opened. */
import type { GembaOptions } from '../../client.ts';

type RelayParts = Pick<GembaOptions, 'carrier' | 'handOver'>;

const loadCarrier = () => import('./attached-carrier.ts').then(({ attachedCarrier }) => attachedCarrier);
export const loadHandOver = () => import('./attached-hand-over.ts').then(({ attachedHandOver }) => attachedHandOver);

const partsOfFaces: Partial<Record<string, RelayParts>> = {
  phone: { carrier: { attach: async (...engine) => (await loadCarrier()).attach(...engine) } },
  watch: {
    handOver: {
      attach: async (...engine) => (await loadHandOver()).attach(...engine),
      rememberKeys: async (list) => (await loadHandOver()).rememberKeys(list),
    },
  },
};

export const relayParts = (face: string): RelayParts | undefined => partsOfFaces[face];
