/** The network and the journal of a device, with points at which the device crashes. */
import type { Mirror } from '../../../client/client.ts';
import type { Faults } from '../faults.ts';
import type { FaultyNetwork } from './faulty-network.ts';

export function crashingFetch(network: FaultyNetwork, faults: Faults): typeof fetch {
  return (input, init) => faults.around(new URL(String(input)).pathname, () => network.fetch(input, init));
}

export function crashingJournal(mirror: Mirror, faults: Faults): Mirror {
  return {
    ...mirror,
    write: (changes) => faults.around('write of the mirror', () => mirror.write(changes)),
    exchange: (decide) => faults.around('exchange with the mirror', () => mirror.exchange(decide)),
  };
}
