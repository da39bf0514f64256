/** Behind reverse proxies: the address that a limit counts against. */
import { expect, onTestFinished, test } from 'vitest';
import { openServer, type ServerOptions } from '../../../server/app.ts';
import { readEnvironment } from '../../../server/environment.ts';
import { Api, expectProblem, temporaryFolder } from '../../contract/fixture.ts';

const requests = 2;

/** The statuses of requests without a token that a proxy on this machine forwards for these clients. */
async function requestStatuses(trustedProxies: ServerOptions['trustedProxies'], clients: string[]): Promise<number[]> {
  const nobody = await openWithoutToken({ trustedProxies, rateLimit: { requests, secs: 600 } });
  const statuses: number[] = [];
  for (const client of clients) {
    const received = await nobody.get('/nowhere', { Authorization: '', 'X-Forwarded-For': client });
    statuses.push(received.status);
  }
  return statuses;
}

async function openWithoutToken(options: Partial<ServerOptions>): Promise<Api> {
  const { dataDir, remove } = temporaryFolder();
  const server = await openServer({ dataDir, port: 0, host: '127.0.0.1', ...options });
  onTestFinished(() => server.close().finally(remove));
  return new Api({ url: server.url, key: '', accountId: '' });
}

test('[LIMIT-30] what a client says of its address counts for nothing unless a trusted proxy brings it', async () => {
  const clients = ['192.0.2.1', '192.0.2.2', '192.0.2.3'];
  expect(await requestStatuses(undefined, clients)).toEqual([404, 404, 429]);
  expect(await requestStatuses(['192.0.2.0/24'], clients)).toEqual([404, 404, 429]);
});

test('[LIMIT-8] behind trusted proxies each client counts for itself, by the address that they wrote', async () => {
  const clients = [
    '192.0.2.1',
    '192.0.2.2',
    '192.0.2.1',
    '192.0.2.1',
    '192.0.2.2',
    '2001:db8::1',
    '2001:db8::2',
    '2001:db8::3',
  ];
  const each = [404, 404, 404, 429, 404, 404, 404, 429];
  expect(await requestStatuses(1, clients)).toEqual(each);
  expect(await requestStatuses(['loopback'], clients)).toEqual(each);
  // A proxy appends the address that it saw; the client may have invented the ones before.
  const inventive = ['a, 192.0.2.1', '198.51.100.7, 192.0.2.1', '198.51.100.8, 192.0.2.1', '198.51.100.8, 192.0.2.2'];
  expect(await requestStatuses(1, inventive)).toEqual([404, 404, 429, 404]);
  expect(await requestStatuses(2, ['192.0.2.1, 10.0.0.1', '192.0.2.1, 10.0.0.2', '192.0.2.1, 10.0.0.3'])).toEqual([
    404, 404, 429,
  ]);
});

test('[LIMIT-17] an address counts the same with a port, in brackets, and as IPv4 within IPv6', async () => {
  const same = ['198.51.100.10', '198.51.100.10:5678', '::ffff:c633:640a', '[::ffff:198.51.100.10]:443'];
  expect(await requestStatuses(1, same)).toEqual([404, 404, 429, 429]);
  expect(await requestStatuses(1, ['2001:db8::1', '[2001:db8::2]', '[2001:db8::3]:443'])).toEqual([404, 404, 429]);
  expect(
    await requestStatuses(
      ['loopback', '10.0.0.0/8'],
      same.map((client) => `${client}, 10.0.0.1:99`),
    ),
  ).toEqual([404, 404, 429, 429]);
});

test('[LIMIT-33] what is no address buys no quota', async () => {
  expect(await requestStatuses(1, ['unknown', '_hidden', '1.2.3.4.5', '[::1', '999.1.1.1:80'])).toEqual([
    404, 404, 429, 429, 429,
  ]);
});

test('[LIMIT-31] failures to pair count against the client too, not against its proxy', async () => {
  const nobody = await openWithoutToken({ trustedProxies: 1 });
  const guess = (client: string) => {
    const device = { device_id: crypto.randomUUID(), device_name: 'Watch', device_kind: 'wearable' };
    const body = { code: 'WRNG-C0DE', ...device };
    return nobody.post('/api/v1/auth/pair', body, { Authorization: '', 'X-Forwarded-For': client });
  };
  for (let count = 0; count < 10; count++) expectProblem(await guess('192.0.2.1'), 401, 'pairing_code_invalid');
  expectProblem(await guess('192.0.2.1'), 429, 'rate_limited');
  expectProblem(await guess('192.0.2.2'), 401, 'pairing_code_invalid');
});

test('[LIMIT-32] TRUST_PROXY is a number of proxies or a list of their networks, and checked at the start', () => {
  const trusted = (TRUST_PROXY: string) => {
    const environment = readEnvironment({ TRUST_PROXY });
    return environment.ok ? environment.settings.trustedProxies : environment.problems;
  };
  expect(trusted('')).toBeUndefined();
  expect(trusted('1')).toBe(1);
  expect(trusted('10.0.0.0/8, ::1,fd00::/8,loopback')).toEqual(['10.0.0.0/8', '::1', 'fd00::/8', 'loopback']);
  for (const wrong of ['0', '11', 'true', 'all', '10.0.0', '10.0.0.0/33', '10.0.0.0/0', '::/129', '1,2', 'loopback,']) {
    expect(trusted(wrong)).toEqual([expect.stringMatching(/^TRUST_PROXY must be /)]);
  }
});
