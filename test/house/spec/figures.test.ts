import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { discardedMax } from '../../../client/outbox/model/discarding.ts';
import { clockDriftMsMax } from '../../../client/recording/duration.ts';
import { storageTimeoutMs } from '../../../client/storage/storage-health.ts';
import { reservedSpaceBytes } from '../../../client/storage/quota.ts';
import { backoffMsMax, blockedRetryMsMax, blockedRetryMsMin } from '../../../client/sync/net/backoff.ts';
import { stallMsMax } from '../../../client/sync/cycle/machine.ts';
import { responseMemoryLimits, bodyMemoryLimits } from '../../../server/http/limits/memory-budget.ts';
import { healthChecksPerSecMax } from '../../../server/http/routes/health-routes.ts';
import { accountLimitsDefault } from '../../../server/store/account-limits.ts';
import { changesBytesMax } from '../../../server/store/rows/changes-page.ts';
import * as limits from '../../../shared/schema/limits.ts';
import { readSources } from './spec.ts';

const count = (number: number): string => number.toLocaleString('en-US');
const secs = (ms: number): string => `${count(ms / 1_000)} s`;
const minutes = (ms: number): string => `${count(ms / 60_000)} minutes`;
const mebibytes = (bytes: number): string => `${count(bytes / 1024 ** 2)} MiB`;

const account = accountLimitsDefault;
const figures: Record<string, string> = {
  'DOMAIN-10': `${limits.mapsOfFreePlanMax} maps`,
  'STAGE-7': `${count(limits.stagesPerMapMax)} stages`,
  'SCHEMA-3': `1 to ${limits.nameLengthMax} code points`,
  'SCHEMA-7': `hours of a stage 0 to ${count(limits.stageTimeHrsMax)}, seconds of a step 0 to ${count(limits.stepDurationSecsMax)}`,
  'SCHEMA-11': `${count(limits.stepsPerRecordingMax)} steps, and a step up to ${limits.photosPerStepMax} photos`,
  'SCHEMA-14': `1 to ${limits.runsPerCompareMax} distinct`,
  'SCHEMA-18': `${count(limits.mutationsPerPushMax)} mutations`,
  'REST-7': mebibytes(limits.bodyBytesMax),
  'REST-61': `${limits.publicBodyBytesMax / 1024} KiB`,
  'REST-62': `${limits.jsonDepthMax} levels`,
  'REST-70': `${count(limits.jsonNamesMax)} different field names`,
  'PUSH-17': `${count(account.rejectionsPerDeviceMax)} unacknowledged`,
  'PUSH-30': `${count(limits.mutationValuesMax)} values`,
  'PUSH-34': `last ${count(limits.acknowledgedAnswersMax)} acknowledged`,
  'PUSH-36': `${count(account.rejectionsPerAccountMax)} unacknowledged`,
  'EVENTS-8': `${count(limits.eventStreamsPerAccountMax)} streams`,
  'EVENTS-11': `${limits.eventStreamsPerDeviceMax} streams at a process and an API key ${limits.eventStreamsPerKeyMax}`,
  'MUTATE-10': `free ${mebibytes(account.storedBytesMax.free)}, team ${account.storedBytesMax.team / 1024 ** 3} GiB`,
  'MUTATE-11': `${count(account.clientsPerDeviceMax)} clients and an account under ${count(account.clientsPerAccountMax)}`,
  'MUTATE-13': `${count(account.idempotencyKeysMax)} idempotency keys`,
  'MUTATE-23': `${count(account.answersPerDeviceMax)} answers`,
  'MUTATE-38': mebibytes(account.idempotencyBytesMax),
  'AUTH-14': `${limits.pairingFailuresPerAddressMax} times in any ${limits.pairingFailuresPerAddressWindowSecs} s`,
  'AUTH-15': `${limits.pairingFailuresPerCodeMax} failures`,
  'AUTH-34': `${limits.keysPerAccountMax} live keys`,
  'AUTH-80': `${limits.pairingCodesPerAccountMax} unused`,
  'AUTH-85': minutes(limits.pairingCodeLifetimeSecs * 1_000),
  'STORE-35': mebibytes(changesBytesMax),
  'OPS-12': `${healthChecksPerSecMax} times a second`,
  'LIMIT-10': `${mebibytes(bodyMemoryLimits.bytesPerTokenMax)} of a token and ${mebibytes(bodyMemoryLimits.bytesPerAccountMax)}`,
  'LIMIT-16': `${mebibytes(responseMemoryLimits.bytesPerTokenMax)} of a token and ${mebibytes(responseMemoryLimits.bytesPerAccountMax)}`,
  'LIMIT-34': mebibytes(bodyMemoryLimits.bytesPerAddressMax),
  'LIMIT-35': mebibytes(bodyMemoryLimits.bytesMax),
  'LIMIT-38': mebibytes(responseMemoryLimits.bytesMax),
  'RECORDER-1': secs(clockDriftMsMax),
  'RECORDER-17': `last ${discardedMax} discarded`,
  'ATTENTION-13': `last ${discardedMax} discarded`,
  'SYNC-3': secs(backoffMsMax),
  'SYNC-14': secs(stallMsMax),
  'SYNC-33': `${blockedRetryMsMin / 2_000} to ${secs(blockedRetryMsMin)}, then after twice as long each time up to ${minutes(blockedRetryMsMax)}`,
  'TABS-10': secs(storageTimeoutMs),
  'STORAGE-9': mebibytes(reservedSpaceBytes),
  'STORAGE-64': mebibytes(reservedSpaceBytes),
  'STORAGE-65': mebibytes(reservedSpaceBytes),
};

const { chapters } = await readSources(resolve(import.meta.dirname, '../../..'));
const lines = chapters.flatMap(({ source }) => source.split('\n'));

test.each(Object.entries(figures))('[HOUSE-27] %s gives the figure of the code: %s', (id, figure) => {
  expect(lines.find((line) => line.startsWith(`- **${id}**`))).toContain(figure);
});
