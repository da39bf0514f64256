/** Rate limits of addresses, which count requests without a good token. */
import { expect, test } from 'vitest';
import { adminToken, Api, expectProblem, newApi } from './fixture.ts';
import { openLimitedServer, remainingRequests, type RateLimitDatabase } from './rate-limit-database.ts';

export function addressLimitsContract(limited: RateLimitDatabase): void {
  const { keys } = limited;
  const open = (rateLimit?: { requests: number; secs: number }) => openLimitedServer(limited, rateLimit);

  test('[LIMIT-3] [LIMIT-28] without a token the address counts, and tokens that nobody knows buy no more', async () => {
    const server = await open({ requests: 3, secs: 60 });
    const api = await newApi(server);
    // This process has not accepted the key before, so the request may count as a guess.
    expect((await api.get('/api/v1/maps')).status).toBe(200);
    const guess = (number: number) =>
      new Api({ ...api, url: server.url, key: `gk_${String(number).padStart(64, 'A')}` }).get('/api/v1/maps');
    const statuses: number[] = [];
    for (let number = 0; number < 5; number++) statuses.push((await guess(number)).status);
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    expectProblem(await api.get('/nowhere', { Authorization: '' }), 429, 'rate_limited');
    expect((await api.get('/api/v1/maps')).status).toBe(200);
  });

  test('[LIMIT-11] whatever does not look at the token counts for the address, however many tokens are made up', async () => {
    const server = await open({ requests: 10, secs: 600 });
    const before = await keys();
    const attacks: [string, string][] = [
      ['GET', '/docs'],
      ['GET', '/api/v1/openapi.json'],
      ['GET', '/nowhere'],
      ['GET', '/assets/none.js'],
      ['DELETE', '/api/v1/maps'],
      ['OPTIONS', '/api/v1/maps'],
      ['POST', '/api/v1/auth/pair'],
    ];
    const statuses: number[] = [];
    for (let number = 0; number < 20; number++) {
      const [method = '', path = ''] = attacks[number % attacks.length] ?? [];
      const answer = await fetch(server.url + path, { method, headers: { Authorization: `Bearer made-up-${number}` } });
      await answer.arrayBuffer();
      statuses.push(answer.status);
    }
    expect(statuses.slice(0, 10)).not.toContain(429);
    expect(statuses.slice(10)).toEqual(Array(10).fill(429));
    expect(await keys()).toHaveLength(before.length + 1);
  });

  test('[LIMIT-19] no key names an address', async () => {
    const server = await open();
    await fetch(`${server.url}/nowhere`);
    const known = await keys();
    expect(known.length).toBeGreaterThan(0);
    for (const key of known) expect(key).toMatch(/^[\w-]{43}$/);
  });

  test("[LIMIT-12] over its address's limit no token is looked at, the operator's right one neither", async () => {
    const server = await open({ requests: 5, secs: 600 });
    const api = await newApi(server);
    const operator = (key: string) => new Api({ ...api, url: server.url, key });
    const make = (key: string) => operator(key).post('/api/v1/admin/accounts', { name: 'Works', plan: 'team' });
    for (let number = 0; number < 5; number++) {
      expectProblem(await make(`guess-of-a-token-${number}`), 401, 'unauthorized');
    }
    expectProblem(await make(adminToken), 429, 'rate_limited');
    const lookups: unknown[] = [];
    const { token } = server.services.store;
    server.services.store.token = (key) => {
      lookups.push(key);
      return token(key);
    };
    expectProblem(await api.get('/api/v1/maps'), 429, 'rate_limited');
    expect(lookups).toEqual([]);
  });

  test('[LIMIT-13] a token that was found good of late is slowed by nobody behind its address, until it is revoked', async () => {
    const server = await open({ requests: 5, secs: 600 });
    const api = await newApi(server);
    const { body: made } = await api.post('/api/v1/keys', {});
    const other = new Api({ ...api, url: server.url, key: made.api_key });
    expect((await other.get('/api/v1/maps')).status).toBe(200);
    const stranger = new Api({ ...api, url: server.url, key: 'made-up' });
    // Requests with a good token do not count against their address.
    for (let number = 0; number < 5; number++) expectProblem(await stranger.get('/api/v1/maps'), 401, 'unauthorized');
    expectProblem(await stranger.get('/api/v1/maps'), 429, 'rate_limited');
    expect((await other.get('/api/v1/maps')).status).toBe(200);
    expect((await api.post(`/api/v1/keys/${made.key.id}/revoke`)).status).toBe(200);
    expectProblem(await other.get('/api/v1/maps'), 429, 'rate_limited');
    expect(remainingRequests(await api.get('/api/v1/maps'))).toBe(2);
  });
}
