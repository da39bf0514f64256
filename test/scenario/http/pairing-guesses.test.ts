/**
 * Pairing rules that HTTP does not show: how a code is read, whom failures count against, and how a guess reaches the
 * store.
 */
import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { openServer } from '../../../server/app.ts';
import { clientNetwork } from '../../../server/http/limits/client-address.ts';
import { createPairing } from '../../../server/auth/pair.ts';
import { makePairingCode } from '../../../server/auth/pairing-code.ts';
import { normalizeTypedCode } from '../../../shared/relay/base32.ts';
import { StoreUnavailable, type Store } from '../../../server/store/store.ts';
import { assert } from '../../../shared/domain/assert.ts';
import type { DeviceKind } from '../../../shared/schema/auth.ts';
import { pairingCodesPerAccountMax } from '../../../shared/schema/limits.ts';
import { newApi, temporaryFolder } from '../../contract/fixture.ts';
import { codeWithOtherSecondHalf, codeWithOtherFirstHalf } from '../../contract/pairing.ts';

test('[AUTH-8] every spelling of a code is read as the code', () => {
  for (const text of ['0123-4567', 'oi23-4567', 'OL234567', ' Ol23 - 45-67\t', '0l234567']) {
    expect(normalizeTypedCode(text)).toBe('01234567');
  }
  const bytes = Uint8Array.from({ length: 8 }, (_, index) => 248 + index);
  expect(makePairingCode({ now: () => 0, randomBytes: () => bytes })).toBe('RSTVWXYZ');
});

test('[AUTH-32] failures count against an IPv4 address or an IPv6 /64 network', () => {
  expect(clientNetwork('192.0.2.7')).toBe('192.0.2.7');
  expect(clientNetwork('::ffff:192.0.2.7')).toBe('192.0.2.7');
  expect(clientNetwork('2001:DB8:0:12::1')).toBe('2001:db8:0:12::/64');
  expect(clientNetwork('2001:db8::12:0:0:0:9')).toBe('2001:db8:0:12::/64');
  expect(clientNetwork('2001:0db8:0000:0012:ffff:ffff:ffff:ffff')).toBe('2001:db8:0:12::/64');
  expect(clientNetwork('::1')).toBe('0:0:0:0::/64');
  expect(clientNetwork('fe80::1%eth0')).toBe('fe80:0:0:0::/64');
  expect(clientNetwork('')).toBe('');
});

test('[AUTH-82] every guess that fails asks the store for the same, in the same order', async () => {
  const { dataDir, remove } = temporaryFolder();
  onTestFinished(remove);
  let aheadMs = 0;
  const server = await openServer({ dataDir, port: 0, host: '127.0.0.1', clock: () => Date.now() + aheadMs });
  onTestFinished(() => server.close());
  const { accountId } = await newApi(server);
  const asked: string[] = [];
  const store = new Proxy(server.store, {
    get(target, name: keyof Store & string) {
      asked.push(name);
      return target[name];
    },
  });
  const pairing = createPairing({ ...server.services, store });
  const wayOf = async (code: string, kind: DeviceKind = 'wearable', fields: { account_id?: string } = {}) => {
    asked.length = 0;
    const guess = { code, device_id: randomUUID(), device_name: 'Watch', device_kind: kind, ...fields };
    const answer = await pairing.pair(guess, '192.0.2.1');
    return { answer, way: [...asked] };
  };
  const wayOfQuestion = async (code: string, kind: DeviceKind = 'wearable') => {
    asked.length = 0;
    const answer = await pairing.accountOfCode({ code, device_kind: kind }, '192.0.2.1');
    return { answer, way: [...asked] };
  };
  const newCode = async () => {
    const made = await pairing.newCode({ account_id: accountId, device_kind: 'wearable', created_by: null });
    assert(made.ok, 'the account has few codes');
    return made.code.code;
  };
  const expired = await newCode();
  aheadMs = 600_000;
  const used = await newCode();
  expect((await wayOf(used)).answer.ok).toBe(true);
  const dead = await newCode();
  for (let failure = 0; failure < 5; failure++) await wayOf(codeWithOtherSecondHalf(dead));
  aheadMs += 60_000;
  const live = await newCode();
  const wrong = await wayOf(codeWithOtherFirstHalf(live));
  expect(wrong.way).toEqual(['countPairingEvent', 'epoch', 'countPairingEvent', 'claimPairingCode']);
  const unfit = [[used], [expired], [dead], [codeWithOtherSecondHalf(live)], [live, 'phone'], ['x']] as const;
  for (const [code, kind] of unfit) expect(await wayOf(code, kind)).toEqual(wrong);

  aheadMs += 60_000;
  const question = await wayOfQuestion(codeWithOtherFirstHalf(live));
  expect(question.answer).toEqual(wrong.answer);
  expect(question.way).toEqual(['countPairingEvent', 'epoch', 'countPairingEvent', 'pairingCodeOrigin']);
  for (const [code, kind] of unfit) expect(await wayOfQuestion(code, kind)).toEqual(question);

  aheadMs += 60_000;
  const named = await wayOf(codeWithOtherFirstHalf(live), 'wearable', { account_id: accountId });
  expect(named.answer).toEqual(wrong.answer);
  expect(named.way).toEqual([
    'countPairingEvent',
    'epoch',
    'countPairingEvent',
    'pairingCodeOrigin',
    'claimPairingCode',
  ]);
  for (const [code, kind] of unfit) {
    for (const account_id of [accountId, randomUUID()]) {
      aheadMs += 6_000;
      expect(await wayOf(code, kind, { account_id })).toEqual(named);
    }
  }
});

test('[AUTH-83] guesses that an outage of the store broke off do not use up the code', async () => {
  const { dataDir, remove } = temporaryFolder();
  onTestFinished(remove);
  const server = await openServer({ dataDir, port: 0, host: '127.0.0.1' });
  onTestFinished(() => server.close());
  const { accountId } = await newApi(server);
  let isDown = true;
  const store: Store = {
    ...server.store,
    claimPairingCode: (...given) =>
      isDown ? Promise.reject(new StoreUnavailable('down')) : server.store.claimPairingCode(...given),
  };
  const pairing = createPairing({ ...server.services, store });
  const made = await pairing.newCode({ account_id: accountId, device_kind: 'phone', created_by: null });
  assert(made.ok, 'the account has few codes');
  const guess = { code: made.code.code, device_id: randomUUID(), device_name: 'Phone', device_kind: 'phone' as const };
  for (let attempt = 0; attempt < 12; attempt++)
    await expect(pairing.pair(guess, '192.0.2.1')).rejects.toThrow(StoreUnavailable);
  isDown = false;
  expect(await pairing.pair(guess, '192.0.2.1')).toMatchObject({ ok: true });
});

test('[AUTH-83] codes that an outage of the store kept from being made do not count as unused', async () => {
  const { dataDir, remove } = temporaryFolder();
  onTestFinished(remove);
  const server = await openServer({ dataDir, port: 0, host: '127.0.0.1' });
  onTestFinished(() => server.close());
  const { accountId } = await newApi(server);
  let isDown = true;
  const store: Store = {
    ...server.store,
    createPairingCode: (...given) =>
      isDown ? Promise.reject(new StoreUnavailable('down')) : server.store.createPairingCode(...given),
  };
  const pairing = createPairing({ ...server.services, store });
  const fields = { account_id: accountId, device_kind: 'phone' as const, created_by: null };
  for (let attempt = 0; attempt <= pairingCodesPerAccountMax; attempt++)
    await expect(pairing.newCode(fields)).rejects.toThrow(StoreUnavailable);
  isDown = false;
  expect(await pairing.newCode(fields)).toMatchObject({ ok: true });
});
