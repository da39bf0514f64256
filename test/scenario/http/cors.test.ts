/** Web apps of other origins, and requests that only attackers send. */
import { text } from 'node:stream/consumers';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openServer, type RunningServer } from '../../../server/app.ts';
import { readEnvironment } from '../../../server/environment.ts';
import { newApi, temporaryFolder } from '../../contract/fixture.ts';

const origin = 'https://app.example';

async function open(corsOrigins?: string[]): Promise<RunningServer> {
  const { dataDir, remove } = temporaryFolder();
  const server = await openServer({ dataDir, port: 0, host: '127.0.0.1', corsOrigins });
  onTestFinished(() => server.close().finally(remove));
  return server;
}

const corsOf = ({ headers }: { headers: Headers }) =>
  [...headers].filter(([name]) => name.startsWith('access-control-'));

test('[REST-65] without named origins no answer lets another origin in', async () => {
  const api = await newApi(await open());
  const preflight = { Origin: origin, 'Access-Control-Request-Method': 'POST' };
  expect(corsOf(await api.send('OPTIONS', '/api/v1/maps', { headers: preflight }))).toEqual([]);
  expect(corsOf(await api.get('/api/v1/maps', { Origin: origin }))).toEqual([]);
});

test('[REST-76] [REST-77] a named origin may preflight, call and read the headers of answers; another may not', async () => {
  const api = await newApi(await open([origin, 'http://localhost:5173']));
  const asked = { Origin: origin, 'Access-Control-Request-Method': 'PATCH' };
  const preflight = await api.send('OPTIONS', '/api/v1/maps', { headers: { ...asked, Authorization: '' } });
  expect(preflight.status).toBe(204);
  expect(Object.fromEntries(corsOf(preflight))).toMatchObject({
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'GET, HEAD, POST, PATCH, DELETE',
    'access-control-allow-headers': expect.stringMatching(/Authorization.*Gemba-Protocol.*Idempotency-Key/),
  });
  for (const path of ['/api/v1/maps', '/api/v1/nowhere', '/api/v1/runs/1']) {
    const answer = await api.get(path, { Origin: origin });
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe(origin);
    expect(answer.headers.get('Access-Control-Expose-Headers')).toMatch(/ETag.*Retry-After/);
    expect(answer.headers.get('Access-Control-Allow-Credentials')).toBeNull();
    expect(answer.headers.get('Vary')).toContain('Origin');
  }
  for (const stranger of ['https://evil.example', 'https://app.example.evil', 'null']) {
    expect(corsOf(await api.get('/api/v1/maps', { Origin: stranger }))).toEqual([]);
  }
});

test('[REST-87] an answer that depends on its origin and on its encoding names both in Vary', async () => {
  const api = await newApi(await open([origin]));
  const document = await api.get('/api/v1/openapi.json', { Origin: origin });
  for (const answer of [
    document,
    await api.get('/api/v1/openapi.json', { Origin: origin, 'If-None-Match': document.headers.get('ETag')! }),
    await api.send('HEAD', '/api/v1/openapi.json', { headers: { Origin: origin } }),
  ]) {
    expect([answer.status, answer.headers.get('Vary')]).toEqual([answer.status, 'Origin, Accept-Encoding']);
  }
});

test('[REST-78] GEMBA_CORS_ORIGINS is a list of origins, and checked at the start', () => {
  const origins = (GEMBA_CORS_ORIGINS: string) => {
    const environment = readEnvironment({ GEMBA_CORS_ORIGINS });
    return environment.ok ? environment.settings.corsOrigins : environment.problems;
  };
  expect(origins('')).toBeUndefined();
  expect(origins('https://app.example, http://localhost:5173')).toEqual([origin, 'http://localhost:5173']);
  for (const wrong of ['*', 'app.example', 'https://app.example/', 'https://app.example,', 'null', 'ftp://a']) {
    expect(origins(wrong)).toEqual([expect.stringMatching(/^GEMBA_CORS_ORIGINS must be /)]);
  }
});

test('[REST-64] two hosts are refused, and CONNECT is answered', async () => {
  const { port } = await open();
  const send = async (bytes: string) => {
    const socket = connect(port, '127.0.0.1');
    socket.write(bytes);
    return text(socket);
  };
  const twice = await send('GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n');
  expect(twice).toMatch(/^HTTP\/1.1 400 .*"code":"malformed_request"/s);
  const same = await send('GET /healthz HTTP/1.1\r\nHost: a\r\nHost: a\r\nConnection: close\r\n\r\n');
  expect(same).toMatch(/^HTTP\/1.1 400 /);
  const tunnel = await send('CONNECT other.example:443 HTTP/1.1\r\nHost: other.example:443\r\n\r\n');
  expect(tunnel).toMatch(/^HTTP\/1.1 405 .*"code":"method_not_allowed"/s);
  expect(tunnel).toMatch(/^Allow: GET, /m);
  expect(tunnel).toMatch(/^RateLimit: /m);
});
