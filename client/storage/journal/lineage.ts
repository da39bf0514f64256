/**
 * Tells whether the database or the journal has the later state of a device. Pure. Compares their device rows: the
 * client id, the highest sequence numbers that were given and sent under it, and the last sequence number of each
 * earlier client id.
 *
 *   client ids                               | numbers under the older client id    | database is | rows to restore
 *   -----------------------------------------+--------------------------------------+-------------+-----------------
 *   the same in both                         | the journal has no higher number     | later       | single lost rows
 *   the same in both                         | the journal has a higher number      | earlier     | all
 *   the journal has the newer client id      | the database has no higher number    | earlier     | all
 *   the database has the newer client id     | the journal has no higher number     | later       | single lost rows
 *   all other cases, or two mutations with   |                                      | diverged    | all that the
 *   one number                               |                                      |             | database lacks
 *
 * The journal may have missed the latest writes. After a restore, the device therefore continues under a new client id,
 * so that no number stands for two mutations.
 */
import type { DeviceBody } from '../rows.ts';

/**
 * The state of the database compared with the journal. 'diverged' means that each of the two has changes that the
 * other lacks.
 */
export type LineageComparison = 'later' | 'earlier' | 'diverged';

export function compareLineages(device: DeviceBody, journaled: DeviceBody): LineageComparison {
  if (device.client_id === journaled.client_id) return hasHigherNumber(journaled, device) ? 'earlier' : 'later';
  if (device.last_seq <= lastSeqUnder(device.client_id, journaled)) return 'earlier';
  if (journaled.last_seq <= lastSeqUnder(journaled.client_id, device)) return 'later';
  return 'diverged';
}

const hasHigherNumber = (one: DeviceBody, other: DeviceBody): boolean =>
  one.last_seq > other.last_seq || (one.offered_seq ?? 0) > (other.offered_seq ?? 0);

/** Returns the last sequence number of a device under a client id; -1 if the device never had that client id. */
export function lastSeqUnder(clientId: string, device: DeviceBody): number {
  return device.client_id === clientId ? device.last_seq : (pastClientsOf(device).get(clientId) ?? -1);
}

/**
 * A device row keeps this many past client ids. If a client id to compare is no longer among them, database and journal
 * count as diverged and are merged.
 */
const pastClientsMax = 32;

/** Adds the current client id to the past client ids, before the device gets a new client id. */
export const withPastClient = <Device extends DeviceBody>(device: Device): Device =>
  withPastClients(device, [[device.client_id, device.last_seq]]);

/** Adds the client ids of the journal's device row to the past client ids of the database's device row. */
export function withPastClientsOf(device: DeviceBody, journaled: DeviceBody): DeviceBody {
  const past: [string, number][] = [...pastClientsOf(journaled), [journaled.client_id, journaled.last_seq]];
  const merged = withPastClients(
    device,
    past.map(([id, lastSeq]) => [id, Math.max(lastSeq, lastSeqUnder(id, device))]),
  );
  return journaled.account_id === undefined ? merged : { account_id: journaled.account_id, ...merged };
}

function withPastClients<Device extends DeviceBody>(device: Device, added: [string, number][]): Device {
  const past = [...new Map([...pastClientsOf(device), ...added])].slice(-pastClientsMax);
  return { ...device, past_clients: past.map(([id, lastSeq]) => `${id}|${lastSeq}`).join(' ') };
}

function pastClientsOf({ past_clients = '' }: DeviceBody): Map<string, number> {
  const listed = past_clients.split(' ').filter((one) => one !== '');
  return new Map(listed.map((one) => [one.slice(0, one.indexOf('|')), Number(one.slice(one.indexOf('|') + 1))]));
}
