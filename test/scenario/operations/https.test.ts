/** The server speaks HTTPS with a certificate of the operator. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { openServer, type ServerOptions } from '../../../server/app.ts';
import { temporaryFolder } from '../../contract/fixture.ts';
import { startServerProcess } from '../../contract/server-process.ts';

const folder = temporaryFolder();
const files = { TLS_CERT: join(folder.dataDir, 'cert.pem'), TLS_KEY: join(folder.dataDir, 'key.pem') };
beforeAll(async () => {
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'];
  const out = ['-keyout', files.TLS_KEY, '-out', files.TLS_CERT, '-days', '2'];
  await promisify(execFile)('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...out, ...subject]);
  return folder.remove;
});

test('[SERVER-18] a certificate and its key make it an HTTPS server, with a link for phones that says so', async () => {
  const data = temporaryFolder();
  onTestFinished(data.remove);
  const server = startServerProcess({ DATA_DIR: data.dataDir, ...files });
  const [, url] = await server.until(/listening on (https:\/\/\S+)\n/);
  expect(await requestStatus(`${url}/readyz`)).toBe(200);
  await server.until(/https:\/\/127\.0\.0\.1:\d+\/pair#/);
  await server.until(/works on this computer alone/);
  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(0);
});

test('[SERVER-18] an HTTPS server drains: it finishes a request and ends idle connections', async () => {
  const data = temporaryFolder();
  onTestFinished(data.remove);
  const tls = { cert: await readFile(files.TLS_CERT, 'utf8'), key: await readFile(files.TLS_KEY, 'utf8') };
  const server = await openServer({ dataDir: data.dataDir, port: 0, host: '127.0.0.1', tls });
  expect(await requestStatus(`${server.url}/healthz`, { keepAlive: true })).toBe(200);
  await server.close();
  await expect(requestStatus(`${server.url}/healthz`)).rejects.toThrow('ECONNREFUSED');
});

test('[OPS-22] over HTTPS alone a browser is told to ask this host by HTTPS', async () => {
  const open = async (options: Partial<ServerOptions>) => {
    const data = temporaryFolder();
    const server = await openServer({ dataDir: data.dataDir, port: 0, host: '127.0.0.1', ...options });
    onTestFinished(() => server.close().finally(data.remove));
    return `${server.url}/healthz`;
  };
  const tls = { cert: await readFile(files.TLS_CERT, 'utf8'), key: await readFile(files.TLS_KEY, 'utf8') };
  const request = get(await open({ tls }), { ca: tls.cert, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  expect(response.headers['strict-transport-security']).toBe('max-age=31536000');

  const proxied = await open({ trustedProxies: 1 });
  const headerOf = async (protocol: string) =>
    (await fetch(proxied, { headers: { 'X-Forwarded-Proto': protocol } })).headers.get('Strict-Transport-Security');
  expect(await headerOf('https')).toBe('max-age=31536000');
  expect(await headerOf('http')).toBeNull();
  expect((await fetch(await open({}))).headers.get('Strict-Transport-Security')).toBeNull();
});

test('[SERVER-19] a certificate that does not work is said in one line', async () => {
  const wrong: [Record<string, string>, RegExp][] = [
    [{ TLS_CERT: files.TLS_CERT }, /^gemba: TLS_CERT and TLS_KEY must be set together\n$/],
    [{ ...files, TLS_KEY: '/nowhere/key.pem' }, /^gemba: .*TLS_CERT and TLS_KEY do not work: ENOENT.*\n$/],
    [{ TLS_CERT: files.TLS_KEY, TLS_KEY: files.TLS_CERT }, /^gemba: .*TLS_CERT and TLS_KEY do not work: .*\n$/],
  ];
  for (const [environment, expected] of wrong) {
    const data = temporaryFolder();
    onTestFinished(data.remove);
    const server = startServerProcess({ DATA_DIR: data.dataDir, ...environment });
    expect(await server.ended).toBe(1);
    expect(server.printed()).toMatch(expected);
  }
});

async function requestStatus(url: string, { keepAlive = false } = {}): Promise<number | undefined> {
  const ca = await readFile(files.TLS_CERT);
  const request = get(url, { ca, headers: keepAlive ? { Connection: 'keep-alive' } : {} });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return response.statusCode;
}
