import { beforeAll, expect, test } from 'vitest';
import type { PairedDevice } from '../../../client.ts';
import { loadOnDemandTexts } from '../../text/phone-on-demand.ts';
import { filterAndSortDevices, noDeviceFilter, type DeviceFilter } from './device-filter.ts';

beforeAll(loadOnDemandTexts);

const device = (name: string, fields: Partial<PairedDevice>): PairedDevice => ({
  id: name,
  name,
  kind: 'wearable',
  paired_at: '2026-11-01T06:00:00.000Z',
  last_seen_at: '2026-11-22T06:00:00.000Z',
  revoked_at: null,
  status: null,
  health: 'ok',
  is_this: false,
  ...fields,
});
const status = {
  reported_at: '2026-11-22T06:00:00.000Z',
  pending: 4,
  oldest_unsent_at: '2026-11-20T06:00:00.000Z',
  attention: 0,
  battery: null,
  storage_free: null,
  second_copy: null,
  app_version: null,
  platform: null,
};
const devices = [
  device('Hall 10', { kind: 'phone' }),
  device('Hall 2', { health: 'stuck', status }),
  device('Gate', { health: 'silent', last_seen_at: '2026-11-10T06:00:00.000Z' }),
  device('Oven', { last_seen_at: null }),
];
const names = (filter: Partial<DeviceFilter>) =>
  filterAndSortDevices(devices, { ...noDeviceFilter, ...filter }).map(({ name }) => name);

test('[APP-305] devices are searched by name and kind, filtered by health and sorted', () => {
  expect(names({})).toEqual(['Hall 2', 'Gate', 'Hall 10', 'Oven']);
  expect(names({ query: ' hall ' })).toEqual(['Hall 2', 'Hall 10']);
  expect(names({ query: 'phone' })).toEqual(['Hall 10']);
  expect(names({ health: 'ok' })).toEqual(['Hall 10', 'Oven']);
  expect(names({ sort: 'name' })).toEqual(['Gate', 'Hall 2', 'Hall 10', 'Oven']);
  expect(names({ sort: 'seen' })).toEqual(['Oven', 'Gate', 'Hall 10', 'Hall 2']);
  expect(names({ sort: 'unsent' })).toEqual(['Hall 2', 'Hall 10', 'Gate', 'Oven']);
});
