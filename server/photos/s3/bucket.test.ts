import { inspect } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { startS3Server, type Misbehaviour, type S3Server } from '../../../test/s3/s3-server.ts';
import { systemWorld } from '../../core/world.ts';
import { StoreUnavailable } from '../../store/store.ts';
import { openBucket, type Bucket, type RetryLimits } from './bucket.ts';
import type { BucketSettings } from './bucket-settings.ts';

const attemptsMax = 4;
const impatient: Partial<RetryLimits> = { attemptsMax, backoffMs: 1 };
const text = (bytes: Uint8Array | null) => bytes && Buffer.from(bytes).toString();
const whole = { start: 0, end: 100 };

async function start(options: Parameters<typeof startS3Server>[0] = {}): Promise<{ server: S3Server; bucket: Bucket }> {
  const server = await startS3Server(options);
  onTestFinished(() => server.close());
  return { server, bucket: openBucket(server.settings, { world: systemWorld, limits: impatient }) };
}

async function failureOf(act: Promise<unknown>): Promise<StoreUnavailable> {
  const error = await act.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(StoreUnavailable);
  return error as StoreUnavailable;
}

const passing: [string, Misbehaviour][] = [
  ['500', { kind: 'answer', status: 500, code: 'InternalError' }],
  ['503 SlowDown', { kind: 'answer', status: 503, code: 'SlowDown' }],
  ['429', { kind: 'answer', status: 429, code: '' }],
  ['400 RequestTimeout', { kind: 'answer', status: 400, code: 'RequestTimeout' }],
  ['a reset before the effect', { kind: 'reset', when: 'before' }],
  ['a reset after the effect', { kind: 'reset', when: 'after' }],
];

test.each(passing)('[PHOTO-66] three times %s costs nothing, and four times is an outage', async (_what, behaviour) => {
  const { server, bucket } = await start();
  const acts: [() => Promise<unknown>, unknown][] = [
    [() => bucket.put('a', Buffer.from('abc')), undefined],
    [async () => text(await bucket.get('a', { start: 1, end: 3 })), 'bc'],
    [() => bucket.list(''), ['a']],
    [() => bucket.remove('a'), undefined],
  ];
  for (const [act, result] of acts) {
    server.misbehave(behaviour, undefined, attemptsMax - 1);
    expect(await act()).toEqual(result);
  }
  expect(server.requests.length).toBe(acts.length * attemptsMax);
  for (const [act] of acts) {
    server.misbehave(behaviour, undefined, attemptsMax);
    await failureOf(act());
  }
  expect(server.requests.length).toBe(2 * acts.length * attemptsMax);
});

test.each<[string, Misbehaviour]>([
  ['silence', { kind: 'silence' }],
  ['an answer that stalls', { kind: 'stall' }],
])('[PHOTO-66] %s is an answer that never came, and the request is sent again', async (_what, behaviour) => {
  const { server } = await start();
  const bucket = openBucket(server.settings, { world: systemWorld, limits: { ...impatient, responseMsMax: 500 } });
  await bucket.put('a', Buffer.from('abc'));
  server.misbehave(behaviour);
  expect(text(await bucket.get('a', whole))).toBe('abc');
  server.misbehave(behaviour, undefined, attemptsMax);
  const { message } = await failureOf(bucket.list(''));
  expect(message).toMatch(/^S3 at http:\S+ gave no answer to GET: none within 500 ms$/);
  expect(server.requests.length).toBe(3 + attemptsMax);
});

test('[PHOTO-66] a service that stays silent is given up after a while', async () => {
  const { server } = await start();
  const limits = { attemptsMax: 1_000, backoffMs: 0, responseMsMax: 20, retryMsMax: 100 };
  server.misbehave({ kind: 'silence' }, undefined, limits.attemptsMax);
  await failureOf(openBucket(server.settings, { world: systemWorld, limits }).list(''));
  expect(server.requests.length).toBeLessThan(20);
});

test('[PHOTO-66] a range is a range, also of a service that answers with the whole object', async () => {
  for (const ignoresRanges of [false, true]) {
    const { server, bucket } = await start({ ignoresRanges });
    await bucket.put('a', Buffer.from('abcdef'));
    expect(text(await bucket.get('a', whole))).toBe('abcdef');
    expect(text(await bucket.get('a', { start: 2, end: 4 }))).toBe('cd');
    expect(text(await bucket.get('a', { start: 2, end: 2 }))).toBe('');
    expect(text(await bucket.get('a', { start: 6, end: 9 }))).toBe('');
    expect(await bucket.get('b', whole)).toBeNull();
    await bucket.remove('b');
    expect([...server.objects.keys()]).toEqual(['some/folder/a']);
  }
});

test('[PHOTO-65] a list has the names of all its pages, and ends', async () => {
  const { server, bucket } = await start({ pageKeysMax: 2 });
  const names = ['x/1', 'x/2', 'x/3', 'x/4', 'x/5'];
  for (const name of [...names, 'x', 'y/1']) await bucket.put(name, Buffer.from('a'));
  server.objects.set('x/1', Buffer.from('outside of the folder'));
  expect(await bucket.list('x/')).toEqual(names);
  expect(await bucket.list('z/')).toEqual([]);
  for (let more = 0; more < 201; more++) server.objects.set(`some/folder/w/${more}`, Buffer.alloc(1));
  expect((await failureOf(bucket.list('w/'))).message).toContain('more than 100 pages');
});

const skewed = (ms: number) => ({ ...systemWorld, now: () => Date.now() + ms });

test.each<[string, (right: BucketSettings) => BucketSettings, number, RegExp]>([
  ['another key', (right) => ({ ...right, key: 'AKIDOTHER' }), 0, /403 InvalidAccessKeyId.*: check GEMBA_S3_KEY$/],
  ['another secret', (right) => ({ ...right, secret: 'other' }), 0, /403 SignatureDoesNotMatch.*GEMBA_S3_SECRET/],
  [
    'another region',
    (right) => ({ ...right, region: 'other' }),
    0,
    /400 AuthorizationHeaderMalformed.*GEMBA_S3_REGION/,
  ],
  ['a fast clock', (right) => right, 16 * 60_000, /403 RequestTimeTooSkewed.*: the clock of this machine is wrong$/],
  ['a slow clock', (right) => right, -16 * 60_000, /403 RequestTimeTooSkewed.*: the clock of this machine is wrong$/],
  [
    'a bucket that is missing',
    (right) => ({ ...right, location: { ...right.location, bucket: 'other' } }),
    0,
    /404 NoSuchBucket.*: check the bucket in GEMBA_S3_URL$/,
  ],
  [
    'nothing that listens',
    (right) => ({ ...right, location: { ...right.location, origin: 'http://127.0.0.1:1' } }),
    0,
    /^S3 at http:\/\/127.0.0.1:1 gave no answer to (?:GET|PUT|DELETE): ECONNREFUSED$/,
  ],
])('[PHOTO-67] with %s each request fails with what to check, and never with a secret', async (...given) => {
  const [, change, aheadMs, expected] = given;
  const { server } = await start();
  const settings = change(server.settings);
  server.objects.set('some/folder/a', Buffer.from('abc'));
  const bucket = openBucket(settings, { world: skewed(aheadMs), limits: impatient });
  const acts = [() => bucket.put('a', Buffer.from('x')), () => bucket.get('a', whole), () => bucket.get('b', whole)];
  for (const act of [...acts, () => bucket.list(''), () => bucket.remove('a')]) {
    const error = await failureOf(act());
    expect(error.message).toMatch(expected);
    const inspected = inspect(error, { depth: 10, showHidden: true });
    for (const { key, secret } of [settings, server.settings]) {
      expect(inspected).not.toContain(key);
      expect(inspected).not.toContain(secret);
    }
  }
  expect(server.requests).toEqual([]);
  expect(text(server.objects.get('some/folder/a')!)).toBe('abc');
});

test.each([
  [403, 'AccessDenied', /403 AccessDenied.*: check that the key may list the bucket, and read, write and delete/],
  [403, '', /403 to \w+.*: check GEMBA_S3_KEY, GEMBA_S3_SECRET and what the key may do$/],
  [301, 'PermanentRedirect', /301 PermanentRedirect.*: check GEMBA_S3_URL and GEMBA_S3_REGION$/],
  [404, '', /404 to \w+.*: check GEMBA_S3_URL$/],
  [501, 'NotImplemented', /501 NotImplemented to \w+/],
])('[PHOTO-67] an answer %s %s is not sent again, and is no photo that is missing', async (status, code, expected) => {
  const { server, bucket } = await start();
  const acts = [() => bucket.put('a', Buffer.from('x')), () => bucket.get('a', whole), () => bucket.list('')];
  for (const act of [...acts, () => bucket.remove('a')]) {
    server.misbehave({ kind: 'answer', status, code });
    expect((await failureOf(act())).message).toMatch(expected);
  }
  expect(server.requests.length).toBe(acts.length + 1);
});
