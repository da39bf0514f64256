import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { appVersion, protocolVersion } from '../../shared/protocol/version.ts';
import type { DeviceStatusRow, DeviceWithStatus } from '../store/credentials/device-status.ts';
import { healthOfDevice, healthThresholdsDefault, healthCutoffsAt, parseHealthThresholds } from './device-health.ts';

const now = Date.parse('2026-07-10T12:00:00.000Z');
const hour = 60 * 60 * 1000;
const ago = (hours: number) => new Date(now - hours * hour).toISOString();

const status = (fields: Partial<DeviceStatusRow>): DeviceStatusRow => ({
  reported_at: ago(0.1),
  pending: 0,
  oldest_unsent_at: null,
  attention: 0,
  battery: null,
  storage_free: null,
  second_copy: null,
  app_version: appVersion,
  platform: 'web',
  protocol: protocolVersion,
  ...fields,
});

const device = (fields: Partial<DeviceWithStatus>): DeviceWithStatus => ({
  id: 'd',
  list_id: 'l',
  name: 'Watch',
  kind: 'wearable',
  paired_at: ago(0.1),
  last_seen_at: ago(0.1),
  revoked_at: null,
  status: null,
  ...fields,
});

const healthOf = (fields: Partial<DeviceWithStatus>) =>
  healthOfDevice(device(fields), healthCutoffsAt(healthThresholdsDefault, now));

test('[FLEET-11] unsent work of 24 hours at a recent report is stuck', () => {
  const stuck = status({ pending: 1, oldest_unsent_at: ago(24.2) });
  expect(healthOf({ status: stuck })).toBe('stuck');
  expect(healthOf({ status: status({ pending: 1, oldest_unsent_at: ago(24) }) })).toBe('ok');
  const earlier = { reported_at: ago(1.1), pending: 1, oldest_unsent_at: ago(30) };
  expect(healthOf({ status: status(earlier) })).toBe('ok');
});

test('[FLEET-12] [FLEET-13] silence counts from the last request, or from the pairing', () => {
  expect(healthOf({ last_seen_at: ago(169) })).toBe('silent');
  expect(healthOf({ last_seen_at: ago(167) })).toBe('ok');
  expect(healthOf({ last_seen_at: null, paired_at: ago(169) })).toBe('silent');
  const pending = status({ reported_at: ago(9), pending: 2, oldest_unsent_at: ago(10) });
  expect(healthOf({ last_seen_at: ago(8.1), status: pending })).toBe('stale');
  expect(healthOf({ last_seen_at: ago(7.9), status: pending })).toBe('ok');
  expect(healthOf({ last_seen_at: ago(9), status: status({ reported_at: ago(9) }) })).toBe('ok');
});

test('[FLEET-14] an older protocol or app is outdated, and an unknown or newer one is not', () => {
  expect(healthOf({ status: status({ protocol: protocolVersion - 1 }) })).toBe('outdated');
  for (const app_version of ['0.0.9', '0', '0.0.99-beta']) {
    expect(healthOf({ status: status({ app_version }) }), app_version).toBe('outdated');
  }
  for (const app_version of [null, appVersion, '0.1.0-beta', '0.10.0', '1', 'nightly']) {
    expect(healthOf({ status: status({ app_version }) }), String(app_version)).toBe('ok');
  }
});

test('[FLEET-15] the worst that holds is the health, and a revoked device has none', () => {
  const all = { pending: 1, oldest_unsent_at: ago(2_000), protocol: 0 };
  expect(healthOf({ last_seen_at: ago(200), status: status({ ...all, reported_at: ago(0.5) }) })).toBe('stuck');
  expect(healthOf({ last_seen_at: ago(200), status: status({ ...all, reported_at: ago(200) }) })).toBe('silent');
  expect(healthOf({ last_seen_at: ago(9), status: status({ ...all, reported_at: ago(9) }) })).toBe('stale');
  expect(healthOf({ revoked_at: ago(1), last_seen_at: ago(200) })).toBeNull();
});

test('[FLEET-17] GEMBA_FLEET sets the times that it names', () => {
  expect(parseHealthThresholds('stale=30m, silent=2d')).toEqual({
    staleMs: hour / 2,
    silentMs: 48 * hour,
    stuckMs: 24 * hour,
  });
  expect(parseHealthThresholds('stuck=1h')).toEqual({ ...healthThresholdsDefault, stuckMs: hour });
  for (const text of ['', 'stale', 'stale=0h', 'stale=8', 'stale=8y', 'late=8h', 'stale=8h;silent=7d', 'stale=-1h']) {
    expect(parseHealthThresholds(text), text).toBeUndefined();
  }
});

test('[FLEET-21] the version in the code is that of package.json', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(appVersion).toBe(version);
});
