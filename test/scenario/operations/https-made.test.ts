/** The server speaks HTTPS with a certificate that it makes and keeps. */
import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { openServer } from '../../../server/app.ts';
import { needsOwnCertificate, openOwnCertificate, renewOwnCertificate } from '../../../server/cli/own-certificate.ts';
import { systemWorld } from '../../../server/core/world.ts';
import { issueServerCertificate, makeKey } from '../../../server/tls/issue-certificate.ts';
import { certificateFileName, loadOrMakeCertificate } from '../../../server/tls/stored-certificate.ts';
import { temporaryFolder } from '../../contract/fixture.ts';
import { startServerProcess } from '../../contract/server-process.ts';

function dataFolder(): string {
  const data = temporaryFolder();
  onTestFinished(data.remove);
  return data.dataDir;
}

const names = ['localhost', '127.0.0.1'];
const readNames = () => names;
const dayMs = 24 * 60 * 60 * 1000;

test('[SERVER-20] a server that phones reach makes its certificate, unless somebody else does TLS', () => {
  const settings = {
    tls: undefined,
    tlsCert: undefined,
    host: '0.0.0.0',
    publicUrl: undefined,
    trustedProxies: undefined,
  };
  expect(needsOwnCertificate(settings)).toBe(true);
  expect(needsOwnCertificate({ ...settings, host: '127.0.0.1' })).toBe(false);
  expect(needsOwnCertificate({ ...settings, tlsCert: 'cert.pem' })).toBe(false);
  expect(needsOwnCertificate({ ...settings, publicUrl: 'https://gemba.example' })).toBe(false);
  expect(needsOwnCertificate({ ...settings, trustedProxies: 1 })).toBe(false);
  expect(needsOwnCertificate({ ...settings, tls: 'off' })).toBe(false);
  expect(needsOwnCertificate({ ...settings, host: '127.0.0.1', tls: 'self' })).toBe(true);
  expect(needsOwnCertificate({ ...settings, publicUrl: 'https://hall3.local:8080', tls: 'self' })).toBe(true);
});

test('[SERVER-20] [SERVER-21] [SERVER-25] [SERVER-28] [OPS-22] it serves HTTPS that the authority vouches for, the same after a restart', async () => {
  const dataDir = dataFolder();
  const environment = { DATA_DIR: dataDir, TLS: 'self' };
  const first = startServerProcess(environment);
  const [, url = ''] = await first.until(/listening on (https:\/\/\S+)\n/);
  const [, page = ''] = await first.until(/(https:\/\/\S+\/certificate)\n/);
  const [, fingerprint = ''] = await first.until(/((?:[0-9A-F]{2}:){31}[0-9A-F]{2})\n/);
  const file = join(dataDir, certificateFileName);
  if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600);
  const before = await readFile(file, 'utf8');
  const { authority } = JSON.parse(before) as { authority: { cert: string; key: string } };

  const downloaded = await fetchOver(`${url}/ca.crt`, authority.cert);
  expect(downloaded).toMatchObject({ status: 200, type: 'application/x-x509-ca-cert', body: authority.cert });
  expect(new X509Certificate(downloaded.body).fingerprint256).toBe(fingerprint);
  const { status, type, body, strictTransport } = await fetchOver(page, authority.cert);
  expect([status, type, strictTransport]).toEqual([200, 'text/html; charset=utf-8', undefined]);
  expect(body).toContain(fingerprint);
  expect(body).not.toContain('PRIVATE');

  first.child.kill('SIGTERM');
  expect(await first.ended).toBe(0);
  const second = startServerProcess(environment);
  await second.until(new RegExp(fingerprint));
  expect(await readFile(file, 'utf8')).toBe(before);
});

test('[SERVER-34] where it listens on all addresses, this computer gets a request and a link that work', async () => {
  const webDir = dataFolder();
  for (const page of ['index.html', 'desk.html'])
    await writeFile(join(webDir, page), '<!doctype html><title>Gemba</title>');
  for (const HOST of ['0.0.0.0', '127.0.0.1']) {
    const server = startServerProcess({ DATA_DIR: dataFolder(), WEB_DIR: webDir, TLS: 'self', HOST });
    const [command] = await server.until(/curl .*\\\n.*'\{.*\}'/);
    const { stdout } = await promisify(execFile)('sh', ['-c', `${command} -s -w '%{http_code}'`]);
    expect(stdout).toMatch(/"name":"Order to delivery".*201$/);
    const [, link = ''] = await server.until(/(https:\S+\/desk\/pair#\S+)\n/);
    expect(new URL(link).hostname).toBe(HOST === '0.0.0.0' ? 'localhost' : HOST);
  }
});

test('[SERVER-20] [SERVER-25] with TLS=off it speaks HTTP on all addresses, and has no certificate to install', async () => {
  const server = startServerProcess({ DATA_DIR: dataFolder(), TLS: 'off', HOST: '0.0.0.0' });
  const [, port] = await server.until(/listening on http:\/\/0\.0\.0\.0:(\d+)\n/);
  for (const path of ['/ca.crt', '/certificate']) {
    expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(404);
  }
});

test('[SERVER-23] a running server takes a certificate with its new addresses, with the same key and authority', async () => {
  const dataDir = dataFolder();
  let current = names;
  const kept = await openOwnCertificate({ dataDir, readNames: () => current });
  const server = await openServer({ dataDir, port: 0, host: '127.0.0.1', tls: kept.server });
  onTestFinished(() => server.close());
  const seen = async () => (await fetchOver(`${server.url}/healthz`, kept.authority.cert)).certificate;
  const before = await seen();
  expect(before.subjectAltName).toBe('DNS:localhost, IP Address:127.0.0.1');

  const renewed = new Promise<void>((resolve) => {
    const stop = renewOwnCertificate({
      dataDir,
      readNames: () => current,
      stored: kept,
      intervalMs: 5,
      onRenewed: (tls) => {
        server.renewTls(tls);
        resolve();
      },
    });
    onTestFinished(stop);
  });
  current = [...names, '10.0.0.7'];
  await renewed;
  const after = await seen();
  expect(after.subjectAltName).toContain('10.0.0.7');
  expect(after.publicKey.equals(before.publicKey)).toBe(true);
  expect(after.issuer).toBe(before.issuer);
});

test('[SERVER-23] a certificate is renewed 30 days before its end, and its authority before its own', async () => {
  const dataDir = dataFolder();
  const keep = (days: number) =>
    loadOrMakeCertificate({
      dataDir,
      names,
      authorityName: 'Gemba',
      world: { ...systemWorld, now: () => Date.now() + days * dayMs },
    });
  const first = await keep(0);
  expect((await keep(366)).server.cert).toBe(first.server.cert);
  const second = await keep(368);
  expect(second.server.cert).not.toBe(first.server.cert);
  expect(second.server.key).toBe(first.server.key);
  expect(second.authority).toEqual(first.authority);
  expect(Date.parse(new X509Certificate(second.server.cert).validTo)).toBeGreaterThan(Date.now() + 764 * dayMs);
  const third = await keep(10 * 365 - 29);
  expect(third.authority.cert).not.toBe(first.authority.cert);
  expect(third.server.key).toBe(first.server.key);
});

test('[SERVER-29] a clock that is behind keeps the authority, and one that is far ahead keeps its file', async () => {
  const dataDir = dataFolder();
  const keep = (days: number) => {
    const world = { ...systemWorld, now: () => Date.now() + days * dayMs };
    return loadOrMakeCertificate({ dataDir, names, authorityName: 'Gemba', world });
  };
  const first = await keep(0);
  const behind = await keep(-40);
  expect(behind.authority).toEqual(first.authority);
  expect(Date.parse(new X509Certificate(behind.server.cert).validFrom)).toBeLessThan(Date.now() - 40 * dayMs);
  expect((await keep(0)).authority).toEqual(first.authority);
  await keep(10 * 365);
  const [kept = ''] = (await readdir(dataDir)).filter((name) => name.startsWith(`${certificateFileName}.until-`));
  expect(JSON.parse(await readFile(join(dataDir, kept), 'utf8'))).toMatchObject({ authority: first.authority });
  expect((await stat(join(dataDir, kept))).mode & 0o077).toBe(0);
});

test('[SERVER-24] OpenSSL refuses a certificate of the authority for a public name or address', async () => {
  const dataDir = dataFolder();
  const { authority } = await openOwnCertificate({ dataDir, readNames });
  const ca = join(dataDir, 'ca.pem');
  await writeFile(ca, authority.cert);
  const verdict = async (name: string) => {
    const { cert } = await issueServerCertificate(systemWorld, { authority, key: makeKey(), names: [name] });
    const file = join(dataDir, 'server.pem');
    await writeFile(file, cert);
    return promisify(execFile)('openssl', ['verify', '-CAfile', ca, file]).then(
      () => 'valid',
      (error: Error & { stderr: string }) => error.stderr,
    );
  };
  for (const name of ['hall3.local', 'localhost', '192.168.1.5', '::1', 'fd00::7']) {
    expect(await verdict(name), name).toBe('valid');
  }
  for (const name of ['bank.example', '203.0.113.9', '2001:db8::1', 'notlocal']) {
    expect(await verdict(name), name).toContain('permitted subtree violation');
  }
});

test('[SERVER-26] a damaged file of the certificate ends the start with a line that names it', async () => {
  const dataDir = dataFolder();
  const kept = await openOwnCertificate({ dataDir, readNames });
  const file = join(dataDir, certificateFileName);
  const ofAnother = { ...kept, server: { ...kept.server, key: makeKey() } };
  for (const text of ['', '{}', JSON.stringify(ofAnother)]) {
    await writeFile(file, text);
    const server = startServerProcess({ DATA_DIR: dataDir, TLS: 'self' });
    expect(await server.ended).toBe(1);
    expect(server.printed()).toMatch(/^gemba: cannot start: \S*https\.json is damaged: [^\n]*\n$/);
  }
});

test('[SERVER-26] TLS and TLS_CERT together are refused', async () => {
  const server = startServerProcess({ DATA_DIR: dataFolder(), TLS: 'self', TLS_CERT: 'c', TLS_KEY: 'k' });
  expect(await server.ended).toBe(1);
  expect(server.printed()).toBe('gemba: TLS must not be set together with TLS_CERT\n');
});

test('[SERVER-27] two first starts in one folder use the same certificate', async () => {
  const dataDir = dataFolder();
  const [one, other] = await Promise.all([1, 2].map(() => openOwnCertificate({ dataDir, readNames })));
  expect(one).toEqual(other);
  expect(JSON.parse(await readFile(join(dataDir, certificateFileName), 'utf8'))).toEqual(one);
});

async function fetchOver(url: string, ca: string) {
  const request = get(url, { ca, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const { socket } = response;
  const { raw } = (socket as import('node:tls').TLSSocket).getPeerCertificate();
  const body = (await response.toArray()).join('');
  return {
    status: response.statusCode,
    type: response.headers['content-type'],
    strictTransport: response.headers['strict-transport-security'],
    body,
    certificate: new X509Certificate(raw),
  };
}
