/** The network and the journal of a tab, with points at which it crashes. A frozen tab learns of nothing until it wakes. */
import type { Mirror } from '../../../../client/client.ts';
import type { DiskUser } from './disk-rows.ts';
import type { FaultyNetwork } from '../faulty-network.ts';

export function crashingFetch(network: FaultyNetwork, tab: DiskUser): typeof fetch {
  return (input, init) => around(tab, new URL(String(input)).pathname, () => network.fetch(input, init));
}

export function crashingJournal(mirror: Mirror, tab: DiskUser): Mirror {
  return {
    ...mirror,
    write: (changes) => around(tab, 'write of the mirror', () => mirror.write(changes)),
    exchange: (decide) => around(tab, 'exchange with the mirror', () => mirror.exchange(decide)),
  };
}

function around<Result>(tab: DiskUser, name: string, work: () => Promise<Result>): Promise<Result> {
  return tab.faults.around(name, async () => {
    const result = await work();
    await tab.whenAwake();
    return result;
  });
}
