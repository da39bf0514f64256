import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { expectProblem, newApi, type GetServers } from '../fixture.ts';
import { newCode, codeWithOtherSecondHalf, codeWithOtherFirstHalf, pair } from '../pairing.ts';

export function pairingLimitsContract(servers: GetServers): void {
  test('[AUTH-14] an address fails ten times a minute, on however many connections and servers; then even the right code waits', async () => {
    const { first, second, advance } = servers();
    advance(61_000);
    const api = await newApi(first);
    const code = await newCode(api);
    const guesses = Array.from({ length: 40 }, (_, index) =>
      pair(index % 2 ? first : second, { code: codeWithOtherFirstHalf(code, index) }),
    );
    const answers = await Promise.all(guesses);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(30);
    const refused = await pair(second, { code });
    expectProblem(refused, 429, 'rate_limited');
    const waitSecs = Number(refused.headers.get('Retry-After'));
    expect(waitSecs).toBeGreaterThan(0);
    expect(waitSecs).toBeLessThanOrEqual(60);
    advance(waitSecs * 1000);
    expect((await pair(second, { code })).status).toBe(201);
  });

  test('[AUTH-83] what succeeds is no failure, however many pair at once', async () => {
    const { first, second, advance } = servers();
    advance(61_000);
    const api = await newApi(first);
    const codes = await Promise.all(Array.from({ length: 16 }, () => newCode(api)));
    const paired = await Promise.all(codes.map((code, index) => pair(index % 2 ? first : second, { code })));
    expect(paired.map(({ status }) => status)).toEqual(Array.from(codes, () => 201));
  });

  test('[AUTH-14] a minute slides: no sixty seconds hold more than ten failures', async () => {
    const { first, advance } = servers();
    advance(61_000);
    const code = await newCode(await newApi(first));
    const fail = async (times: number, expected: number) => {
      for (let time = 0; time < times; time++) {
        expect((await pair(first, { code: codeWithOtherFirstHalf(code, time) })).status).toBe(expected);
      }
    };
    await fail(4, 401);
    advance(40_000);
    await fail(6, 401);
    await fail(1, 429);
    advance(20_500);
    await fail(4, 401);
    await fail(1, 429);
  });

  test('[AUTH-80] [AUTH-85] [AUTH-86] [AUTH-87] an account has a hundred codes that no device used, on however many servers; a used or expired one makes room, and a repeated request is answered as the first', async () => {
    const { first, second, advance } = servers();
    advance(61_000);
    const api = await newApi(first);
    const make = (index: number, headers = {}) =>
      api.at(index % 2 ? first : second).post('/api/v1/auth/pairing-code', undefined, headers);
    const key = { 'Idempotency-Key': 'code' };
    const keyed = await make(0, key);
    const made = await Promise.all(Array.from({ length: 104 }, (_, index) => make(index)));
    const refused = made.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(5);
    for (const answer of refused) expectProblem(answer, 429, 'pairing_code_limit_reached');
    expect(refused[0]!.body.limit).toBe(100);
    expect(Number(refused[0]!.headers.get('Retry-After'))).toBeGreaterThan(500);
    const counted = /gemba_account_bounds_reached_total\{code="pairing_code_limit_reached"\} (\d+)\n/;
    const texts = await Promise.all([first, second].map(({ services }) => services.metrics.text()));
    expect(texts.reduce((sum, text) => sum + Number(counted.exec(text)?.[1] ?? 0), 0)).toBe(5);
    expect((await make(1, key)).body).toEqual(keyed.body);
    expect((await make(1, { 'Idempotency-Key': 'other' })).status).toBe(429);
    expect((await newApi(first).then((other) => other.post('/api/v1/auth/pairing-code'))).status).toBe(201);
    expect((await pair(first, { code: keyed.body.code })).status).toBe(201);
    expect([(await make(1, { 'Idempotency-Key': 'other' })).status, (await make(0)).status]).toEqual([201, 429]);
    advance(600_000);
    expect((await make(0)).status).toBe(201);
  });

  test('[AUTH-15] a code dies after five failures that name its first half', async () => {
    const { first, second, advance } = servers();
    const api = await newApi(first);
    for (const [failures, status] of [
      [4, 201],
      [5, 401],
    ] as const) {
      advance(61_000);
      const code = await newCode(api);
      const guesses = Array.from({ length: failures }, (_, index) =>
        pair(index % 2 ? first : second, { code: codeWithOtherSecondHalf(code) }),
      );
      for (const guess of await Promise.all(guesses)) expectProblem(guess, 401, 'pairing_code_invalid');
      expect((await pair(first, { code })).status).toBe(status);
    }
  });

  test('[AUTH-15] failures that do not name its first half leave a code alive, and a dead code is dead for its device too', async () => {
    const { first, advance } = servers();
    advance(61_000);
    const api = await newApi(first);
    const [code, id] = [await newCode(api), randomUUID()];
    for (let index = 0; index < 9; index++) await pair(first, { code: codeWithOtherFirstHalf(code, index) });
    expect((await pair(first, { code, id })).status).toBe(201);
    advance(61_000);
    for (let index = 0; index < 5; index++) await pair(first, { code });
    expectProblem(await pair(first, { code, id }), 401, 'pairing_code_invalid');
  });
}
