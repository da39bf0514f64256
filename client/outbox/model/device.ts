/** The device row: the device's ids, its token, and the last number of its sequence. */
import { chainStart } from '../../../shared/protocol/chain.ts';
import type { IdGenerator } from '../../core/ids.ts';
import { deviceRowId, type DeviceBody, type OutboxBody, type Row } from '../../storage/rows.ts';

export function newDevice(ids: IdGenerator): DeviceBody {
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

export const deviceRow = (body: DeviceBody): Row<OutboxBody> => ({ id: deviceRowId, body });
