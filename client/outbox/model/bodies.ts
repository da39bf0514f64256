/** New bodies and rows of the outbox. */
import { chainStart } from '../../../shared/protocol/chain.ts';
import { currentVersion, upcast } from '../../../shared/schema/mutation-versions.ts';
import type { Ids } from '../../core/ids.ts';
import {
  deviceRowId,
  mutationRowId,
  type DeviceBody,
  type MutationBody,
  type OutboxBody,
  type Row,
} from '../../storage/rows.ts';
import { isMutationName } from '../../core/validate.ts';

export function newDevice(ids: Ids): DeviceBody {
  return {
    kind: 'device',
    client_id: ids.uuid(),
    last_seq: 0,
    device_id: ids.uuid(),
    token: null,
    epoch: null,
    proven_seq: 0,
    proven_chain: chainStart,
  };
}

/** Brings what an earlier version of the app wrote to the present shape. */
export function upToDate(body: MutationBody): MutationBody {
  const version = currentVersion(body.name);
  if (body.is_void || (body.version ?? 1) >= version) return body;
  const made_as = body.made_as ?? { version: body.version ?? 1, args: body.args };
  return { ...body, args: upcast(body)!, version, made_as };
}

/** Whether this version of the app knows what it means: a newer one may have written it before this one was opened again. */
export const isKnown = ({ name, version = 1 }: Pick<MutationBody, 'name' | 'version'>): boolean =>
  isMutationName(name) && version <= currentVersion(name);

export function newBody(
  made: Pick<MutationBody, 'client_id' | 'seq' | 'name' | 'recorded_at'> & { args: object },
): MutationBody {
  const args = JSON.parse(JSON.stringify(made.args)) as Record<string, unknown>;
  const version = currentVersion(made.name);
  const body = {
    kind: 'mutation' as const,
    ...made,
    args,
    state: 'pending' as const,
    error: null,
    acknowledged_at: null,
  };
  return version === 1 ? body : { ...body, version };
}

export const deviceRow = (body: DeviceBody): Row<OutboxBody> => ({ id: deviceRowId, body });

export const rowOf = (body: MutationBody): Row<OutboxBody> => ({ id: mutationRowId(body.client_id, body.seq), body });
