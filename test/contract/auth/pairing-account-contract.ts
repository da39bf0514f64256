import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { RunningServer } from '../../../server/app.ts';
import type { DeviceKind } from '../../../shared/schema/auth.ts';
import { Api, expectProblem, expectWrongFields, newApi, type Received, type GetServers } from '../fixture.ts';
import {
  createCodesInEachState,
  newCode,
  codeWithOtherSecondHalf,
  codeWithOtherFirstHalf,
  pair,
  comparableParts,
} from '../pairing.ts';

interface AccountQuestion {
  code: string;
  device_kind?: DeviceKind;
  device_id?: string;
}

function askForAccount(
  server: RunningServer,
  { code, device_kind = 'wearable', ...rest }: AccountQuestion,
): Promise<Received> {
  const anybody = new Api({ url: server.url, key: 'none', accountId: '' });
  return anybody.post('/api/v1/auth/pairing-code/account', { code, device_kind, ...rest });
}

export function pairingAccountContract(servers: GetServers): void {
  test('[AUTH-70] [AUTH-88] a code tells whose account it joins, however often it is asked, and pairs afterwards', async () => {
    const { first, second, advance } = servers();
    advance(61_000);
    const api = await newApi(first);
    const [code, id] = [await newCode(api), randomUUID()];
    for (let time = 0; time < 12; time++) {
      const answered = await askForAccount(time % 2 ? first : second, { code: code.toLowerCase() });
      expect(answered.status).toBe(200);
      expect(answered.headers.get('Cache-Control')).toBe('no-store');
      expect(answered.body).toEqual({ account: { id: api.accountId, name: 'Account' } });
    }
    expect((await pair(first, { code, id })).status).toBe(201);
    // A device that lost the answer to its pairing asks about its own code again.
    expect((await askForAccount(second, { code, device_id: id.toUpperCase() })).body.account.id).toBe(api.accountId);
    for (const device_id of [undefined, randomUUID()]) {
      const question = { code, ...(device_id ? { device_id } : {}) };
      expectProblem(await askForAccount(first, question), 401, 'pairing_code_invalid');
    }
    const wrong = await askForAccount(first, { code: '', device_kind: 'fridge' as DeviceKind, device_id: 'x' });
    expectWrongFields(wrong, ['/code', '/device_kind', '/device_id']);
  });

  test('[AUTH-71] a wrong, expired or used code and one of the other kind are answered alike, as pairing answers', async () => {
    const { first, advance } = servers();
    const api = await newApi(first);
    advance(61_000);
    const { used, expired, live } = await createCodesInEachState(servers(), api);
    const refused = await pair(first, { code: codeWithOtherFirstHalf(live) });
    const answers = [
      await askForAccount(first, { code: codeWithOtherFirstHalf(live) }),
      await askForAccount(first, { code: codeWithOtherSecondHalf(live) }),
      await askForAccount(first, { code: used }),
      await askForAccount(first, { code: expired }),
      await askForAccount(first, { code: live, device_kind: 'phone' }),
      await askForAccount(first, { code: '🙂' }),
    ];
    for (const answer of answers) {
      expectProblem(answer, 401, 'pairing_code_invalid');
      expect(comparableParts(answer)).toEqual(comparableParts(refused));
    }
  });

  test('[AUTH-71] [AUTH-89] an address fails ten times a minute, whether it pairs or asks; then the right code waits', async () => {
    const { first, second, advance } = servers();
    advance(61_000);
    const code = await newCode(await newApi(first));
    const guesses = Array.from({ length: 24 }, (_, index) => {
      const [server, wrong] = [index % 4 > 1 ? first : second, codeWithOtherFirstHalf(code, index)];
      return index % 2 ? askForAccount(server, { code: wrong }) : pair(server, { code: wrong });
    });
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(14);
    const refused = await askForAccount(second, { code });
    expectProblem(refused, 429, 'rate_limited');
    expectProblem(await pair(second, { code }), 429, 'rate_limited');
    advance(Number(refused.headers.get('Retry-After')) * 1000);
    expect((await askForAccount(second, { code })).status).toBe(200);
  });

  test('[AUTH-71] [AUTH-89] a code dies after five failures that name its first half, whether it is paired with or asked about', async () => {
    const { first, advance } = servers();
    const api = await newApi(first);
    for (const [failures, status] of [
      [4, 200],
      [5, 401],
    ] as const) {
      advance(61_000);
      const code = await newCode(api);
      for (let failure = 0; failure < failures; failure++) {
        const wrong = { code: codeWithOtherSecondHalf(code) };
        expect((await (failure % 2 ? askForAccount(first, wrong) : pair(first, wrong))).status).toBe(401);
      }
      expect((await askForAccount(first, { code })).status).toBe(status);
    }
  });

  test('[AUTH-72] a device that names another account is refused and the code stays unused', async () => {
    const { first, second, advance } = servers();
    advance(61_000);
    const [api, other] = [await newApi(first), await newApi(first)];
    const [code, id] = [await newCode(api), randomUUID()];
    // These would be too many failed attempts if they counted.
    for (let time = 0; time < 12; time++) {
      const refused = await pair(time % 2 ? first : second, { code, id, accountId: other.accountId });
      expectProblem(refused, 403, 'account_mismatch');
      expect(JSON.stringify(refused.body)).not.toContain(api.accountId);
    }
    expect((await api.get('/api/v1/devices')).body.data).toEqual([]);
    expect((await pair(first, { code, accountId: api.accountId.toUpperCase() })).status).toBe(201);
    expect((await api.get('/api/v1/devices')).body.data).toHaveLength(1);
    expectProblem(await pair(first, { code, id, accountId: other.accountId }), 401, 'pairing_code_invalid');
    const wrong = await pair(first, { code, accountId: 'x' });
    expectWrongFields(wrong, ['/account_id']);
  });

  test('[AUTH-90] a wrong code is answered alike with and without an account', async () => {
    const { first, advance } = servers();
    advance(61_000);
    const api = await newApi(first);
    const code = await newCode(api);
    const plain = await pair(first, { code: codeWithOtherFirstHalf(code) });
    for (const accountId of [api.accountId, randomUUID()]) {
      const answer = await pair(first, { code: codeWithOtherFirstHalf(code, 3), accountId });
      expectProblem(answer, 401, 'pairing_code_invalid');
      expect(comparableParts(answer)).toEqual(comparableParts(plain));
    }
  });
}
