/** The app over HTTPS with the certificate that the server makes. Real server process, real Chromium. */
import { execFileSync } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { certificateFileName, type StoredCertificate } from '../../../../server/tls/stored-certificate.ts';
import { startServerProcess } from '../../../contract/server-process.ts';
import { findFreePort } from '../../../free-port.ts';
import { openBrowser } from '../../browser.ts';
import { expectNoViolations } from '../accessibility.ts';
import { builtApp } from '../built-app.ts';
import { keptForOffline, pair, phoneSize } from '../devices.ts';
import { atWorkersPace, button, createMap, finish, heading, status } from '../locators.ts';
import { smallestWatch } from '../watch-page.ts';

const app = builtApp();

test('[APP-251] with the authority installed a phone pairs over HTTPS, keeps the app for offline, and records without the server', async () => {
  const server = await httpsServer();
  const context = await browserWith(await trustAuthority(server.kept));
  const page = await context.newPage();
  await pair(page, server.link);
  await status(page, 'All safe on the server').waitFor();
  await keptForOffline(page);

  await server.stop();
  await page.reload();
  await createMap(page, 'Press line');
  await button(page, 'Record').click();
  await button(page, 'First step').click();
  await heading(page, 'Step 1').waitFor();
  await atWorkersPace(page);
  await finish(page);
  await status(page, 'Offline · 2 changes to upload').waitFor();

  await server.start();
  await page.reload();
  await status(page, 'All safe on the server').waitFor();
  expect(await page.getByRole('heading', { name: "This phone doesn't trust the server yet" }).count()).toBe(0);
});

test('[APP-252] [APP-353] [APP-439] [APP-440] after an accepted warning the app pairs and syncs, has no service worker, says so and leads to the certificate', async () => {
  const server = await httpsServer();
  const context = await browserWith({});
  const page = await context.newPage();
  // A command of the developer tools proceeds in spite of the warning, as a person would.
  const session = await context.newCDPSession(page);
  await session.send('Security.enable');
  await session.send('Security.setOverrideCertificateErrors', { override: true });
  session.on('Security.certificateError', ({ eventId }) => {
    void session.send('Security.handleCertificateError', { eventId, action: 'continue' });
  });
  await pair(page, server.link);
  await status(page, 'All safe on the server').waitFor();
  await heading(page, "This phone doesn't trust the server yet").waitFor();
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
  await page.getByRole('link', { name: 'How to install it' }).click();
  await heading(page, 'Install the certificate of this server').waitFor();
  const link = page.getByRole('link', { name: 'Download the certificate' });
  expect(await link.getAttribute('href')).toBe('/ca.crt');
  expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(48);
  for (const size of [phoneSize, smallestWatch]) {
    await page.setViewportSize(size);
    await expectNoViolations(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width);
  }
  await page.setExtraHTTPHeaders({ 'Accept-Language': 'de-AT,en;q=0.8' });
  await page.reload();
  await heading(page, 'Zertifikat dieses Servers installieren').waitFor();
  for (const device of ['Android', 'iPhone', 'Windows', 'Mac', 'Firefox']) {
    await page.getByRole('heading', { name: device }).waitFor();
  }
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('de');
  await expectNoViolations(page);

  const { origin } = new URL(page.url());
  await page.goto(`${origin}/devices/pair/watch`);
  await page.getByText('Waiting for the watch…').waitFor();
  const [code] = /[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(await page.locator('main').innerText()) ?? [];
  await pair(page, `${origin}/watch/pair#${code}`);
  await page.getByText("This watch doesn't trust the server").waitFor();
  await page.getByText('Maps from a phone appear here.').waitFor();
  await expectNoViolations(page);
});

interface HttpsServer {
  link: string;
  kept: StoredCertificate;
  stop(): Promise<void>;
  start(): Promise<void>;
}

async function httpsServer(): Promise<HttpsServer> {
  const dataDir = await temporaryFolder();
  const port = String(await findFreePort());
  const begin = () => startServerProcess({ DATA_DIR: dataDir, PORT: port, WEB_DIR: app.folder, TLS: 'self' });
  let process = begin();
  const [, link = ''] = await process.until(/(https\S+\/pair#[0-9A-Z-]+)\s/);
  return {
    link,
    kept: JSON.parse(await readFile(join(dataDir, certificateFileName), 'utf8')) as StoredCertificate,
    stop: async () => {
      process.child.kill('SIGKILL');
      await process.ended;
    },
    start: async () => {
      process = begin();
      await process.until(/Operator.*\n/);
    },
  };
}

/**
 * Makes Chromium on Linux trust the server's authority through NSS, like a phone that installed the authority. Without
 * NSS's program, a flag makes Chromium accept the certificate by its key.
 */
async function trustAuthority({ authority, server }: StoredCertificate) {
  const home = await temporaryFolder();
  const database = ['-d', `sql:${home}/.pki/nssdb`];
  const file = join(home, 'ca.crt');
  await mkdir(join(home, '.pki/nssdb'), { recursive: true });
  await writeFile(file, authority.cert);
  try {
    execFileSync('certutil', [...database, '-N', '--empty-password']);
  } catch {
    const spki = new X509Certificate(server.cert).publicKey.export({ type: 'spki', format: 'der' });
    const hash = createHash('sha256').update(spki).digest('base64');
    return { flags: [`--ignore-certificate-errors-spki-list=${hash}`] };
  }
  execFileSync('certutil', [...database, '-A', '-t', 'C,,', '-n', 'gemba', '-i', file]);
  return { moreEnv: { HOME: home } };
}

async function browserWith(options: Parameters<typeof openBrowser>[1]): Promise<BrowserContext> {
  const browser = await openBrowser(await temporaryFolder(), options);
  onTestFinished(() => browser.kill());
  return browser.context;
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gemba-https-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
