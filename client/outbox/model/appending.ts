/** Turns new mutations into pending entries with the next numbers of this device's sequence. Pure. */
import { currentVersion } from '../../../shared/schema/mutation-versions.ts';
import type { DeviceBody } from '../../storage/rows.ts';
import { mutationPayload, type PendingEntry } from './entry.ts';
import type { NewMutation } from './mutation.ts';

export function appendMutations(
  device: DeviceBody,
  mutations: NewMutation[],
  recorded_at: string,
): { device: DeviceBody; entries: PendingEntry[] } {
  const { client_id, last_seq } = device;
  const entries = mutations.map(({ name, args }, index): PendingEntry => {
    const version = currentVersion(name);
    return {
      client_id,
      name,
      // Drops undefined fields, which a stored row cannot have.
      args: JSON.parse(JSON.stringify(args)) as Record<string, unknown>,
      recorded_at,
      state: 'pending',
      seq: last_seq + 1 + index,
      payload: mutationPayload,
      proven_at: null,
      ...(version === 1 ? {} : { version }),
    };
  });
  return { device: { ...device, last_seq: last_seq + entries.length }, entries };
}
