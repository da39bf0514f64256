import { expect, test } from 'vitest';
import { randomIds } from '../../core/ids.ts';
import { deviceRow, newDevice } from './device.ts';

test('[OUTBOX-1] a new device has given no number, has ids of its own and belongs to no account', () => {
  const device = newDevice(randomIds);
  expect(device).toStrictEqual({
    kind: 'device',
    client_id: device.client_id,
    device_id: device.device_id,
    last_seq: 0,
    token: null,
    epoch: null,
    proven_seq: 0,
    proven_chain: '',
  });
  expect(new Set([device.client_id, device.device_id, newDevice(randomIds).client_id]).size).toBe(3);
  expect(deviceRow(device)).toStrictEqual({ id: 'device', body: device });
});
