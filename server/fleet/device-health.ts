/**
 * Computes the health of a device from its last report and from the time when it was last seen. Pure. `deviceHealths`
 * lists the healths, the worst first. A device has the first health whose condition holds. `countDevices` of both
 * databases computes the facts of these conditions in SQL.
 */
import { appVersion, protocolVersion } from '../../shared/protocol/version.ts';
import { deviceHealths, type DeviceHealth } from '../../shared/schema/fleet.ts';
import type { DeviceHealthGroup, DeviceWithStatus, HealthCutoffs } from '../store/credentials/device-status.ts';

export interface HealthThresholds {
  staleMs: number;
  silentMs: number;
  stuckMs: number;
}

const hourMs = 60 * 60 * 1000;
export const healthThresholdsDefault: HealthThresholds = {
  staleMs: 8 * hourMs,
  silentMs: 168 * hourMs,
  stuckMs: 24 * hourMs,
};
const recentReportAgeMsMax = hourMs;

export function healthCutoffsAt({ staleMs, silentMs, stuckMs }: HealthThresholds, now: number): HealthCutoffs {
  const before = (ms: number) => new Date(now - ms).toISOString();
  return {
    staleSeenMax: before(staleMs),
    silentSeenMax: before(silentMs),
    recentReportMin: before(recentReportAgeMsMax),
    stuckSecsMin: stuckMs / 1000,
  };
}

type HealthFacts = Omit<DeviceHealthGroup, 'devices'>;

const healthConditions: Record<DeviceHealth, (facts: HealthFacts) => boolean> = {
  stuck: ({ is_stuck }) => is_stuck,
  silent: ({ is_silent }) => is_silent,
  stale: ({ is_stale }) => is_stale,
  outdated: ({ protocol, app_version }) =>
    (protocol !== null && protocol < protocolVersion) ||
    (app_version !== null && isOlderVersion(app_version, appVersion)),
  ok: () => true,
};

export const healthOfFacts = (facts: HealthFacts): DeviceHealth =>
  deviceHealths.find((health) => healthConditions[health](facts)) ?? 'ok';

/** Returns null for a revoked device, which has no health. */
export function healthOfDevice(device: DeviceWithStatus, cutoffs: HealthCutoffs): DeviceHealth | null {
  const { paired_at, last_seen_at, revoked_at, status } = device;
  if (revoked_at !== null) return null;
  const seenAt = last_seen_at ?? paired_at;
  return healthOfFacts({
    is_stuck: status !== null && isStuck(status, cutoffs),
    is_silent: seenAt <= cutoffs.silentSeenMax,
    is_stale: status !== null && status.pending > 0 && seenAt <= cutoffs.staleSeenMax,
    protocol: status?.protocol ?? null,
    app_version: status?.app_version ?? null,
  });
}

function isStuck(
  { reported_at, oldest_unsent_at }: NonNullable<DeviceWithStatus['status']>,
  { recentReportMin, stuckSecsMin }: HealthCutoffs,
): boolean {
  if (oldest_unsent_at === null || reported_at < recentReportMin) return false;
  return Date.parse(reported_at) - Date.parse(oldest_unsent_at) >= stuckSecsMin * 1000;
}

/** Compares versions such as 0.3.1 number by number. A part behind a hyphen or a plus, such as `-beta`, is ignored. */
function isOlderVersion(version: string, than: string): boolean {
  const [own, other] = [version, than].map((text) => (text.split(/[-+]/)[0] ?? '').split('.').map(Number));
  for (const [index, part] of (other ?? []).entries()) {
    const difference = (own?.[index] ?? 0) - part;
    if (Number.isNaN(difference) || difference !== 0) return difference < 0;
  }
  return false;
}

const unitLengthsMs = { m: 60_000, h: hourMs, d: 24 * hourMs } as const;
const thresholdKeys = { stale: 'staleMs', silent: 'silentMs', stuck: 'stuckMs' } as const;

/** Parses `GEMBA_FLEET`. A threshold that the text leaves out keeps its default. */
export function parseHealthThresholds(text: string): HealthThresholds | undefined {
  const thresholds = { ...healthThresholdsDefault };
  for (const part of text.split(',')) {
    const [, name, count, unit] = /^(stale|silent|stuck)=([1-9]\d{0,3})([mhd])$/.exec(part.trim()) ?? [];
    if (!isKeyOf(thresholdKeys, name) || !isKeyOf(unitLengthsMs, unit)) return undefined;
    thresholds[thresholdKeys[name]] = Number(count) * unitLengthsMs[unit];
  }
  return thresholds;
}

const isKeyOf = <Table extends object>(table: Table, key: PropertyKey | undefined): key is keyof Table =>
  key !== undefined && Object.hasOwn(table, key);
