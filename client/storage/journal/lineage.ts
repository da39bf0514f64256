/**
 * Tells which is the later state of a device, its database or its journal. Pure. It compares their device rows: each has
 * a client id, the highest numbers that it used and sent, and the earlier client ids, each with its last number.
 *
 *   client ids                           | numbers, of the client id that both had      | the database | put back
 *   -------------------------------------+----------------------------------------------+--------------+-----------------
 *   same                                 | the copy has none that the database has not  | is later     | single lost rows
 *   same                                 | the copy has higher ones                     | is earlier   | everything
 *   the copy left that of the database   | the database gave none since                 | is earlier   | everything
 *   the database left that of the copy   | the copy has none that were given since      | is later     | single lost rows
 *   any other, or numbers given twice    |                                              | diverged     | what it lacks
 *
 * A journal ("copy") that was behind needs no own case. If the database is later, the journal is updated. If the database is
 * earlier, the writes that the journal missed are lost, and the device gets a new client id so that no number is used twice.
 * A copied device has a database and a journal of one moment, so it counts like the original.
 */
import type { DeviceBody } from '../rows.ts';

/** Compares the database with the journal; 'diverged' means that each continued without the other. */
export type Lineage = 'later' | 'earlier' | 'diverged';

export function lineageOf(device: DeviceBody, journaled: DeviceBody): Lineage {
  if (device.client_id === journaled.client_id) return hasHigherNumber(journaled, device) ? 'earlier' : 'later';
  if (device.last_seq <= lastSeqUnder(device.client_id, journaled)) return 'earlier';
  if (journaled.last_seq <= lastSeqUnder(journaled.client_id, device)) return 'later';
  return 'diverged';
}

const hasHigherNumber = (one: DeviceBody, other: DeviceBody): boolean =>
  one.last_seq > other.last_seq || (one.offered_seq ?? 0) > (other.offered_seq ?? 0);

/** The last number that the device used under a client id; -1 if it never had that id. */
export function lastSeqUnder(clientId: string, device: DeviceBody): number {
  return device.client_id === clientId ? device.last_seq : (pastClientsOf(device).get(clientId) ?? -1);
}

/** How many past client ids are kept. An older state counts as diverged, which loses no work either. */
const pastClientsMax = 32;

/** Adds the present client id to the past ones, before the device gets a new one. */
export const withPastClient = <Device extends DeviceBody>(device: Device): Device =>
  withPastClients(device, [[device.client_id, device.last_seq]]);

/** The database's device row, with the past client ids of the journal's device row added. */
export function withPastClientsOf(device: DeviceBody, journaled: DeviceBody): DeviceBody {
  const past: [string, number][] = [...pastClientsOf(journaled), [journaled.client_id, journaled.last_seq]];
  const both = withPastClients(
    device,
    past.map(([id, lastSeq]) => [id, Math.max(lastSeq, lastSeqUnder(id, device))]),
  );
  return journaled.account_id === undefined ? both : { account_id: journaled.account_id, ...both };
}

function withPastClients<Device extends DeviceBody>(device: Device, more: [string, number][]): Device {
  const past = [...new Map([...pastClientsOf(device), ...more])].slice(-pastClientsMax);
  return { ...device, past_clients: past.map(([id, lastSeq]) => `${id}|${lastSeq}`).join(' ') };
}

function pastClientsOf({ past_clients = '' }: DeviceBody): Map<string, number> {
  const listed = past_clients.split(' ').filter((one) => one !== '');
  return new Map(listed.map((one) => [one.slice(0, one.indexOf('|')), Number(one.slice(one.indexOf('|') + 1))]));
}
