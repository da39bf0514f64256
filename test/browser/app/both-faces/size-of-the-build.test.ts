/** What the built app consists of. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildApp, type BuiltApp } from '../build.ts';

/**
 * Dexie, the validators and RxJS are half of it. It was 109.4 kB; the question before joining an account takes 1.0 kB of
 * it and the screen of API keys 2.3 kB, and loading those later would save nothing: the worker keeps all files anyway. The
 * chain that proves whose work a number stands for, writes that are whole and the storage's deadlines take 2.6 kB. The code
 * of the validators as ajv writes it takes 2.0 kB more than a shortened one (docs/decisions/0029),
 * recovery across client ids and the outbox's fence 2 kB, numbers that follow from the work 1.5 kB.
 */
const phoneKbMax = 124;

let app: BuiltApp;
beforeAll(async () => {
  app = await buildApp();
});
afterAll(() => app.remove());

test('[APP-12] [APP-115] the JavaScript that a phone loads at its start stays within its budget, without the views of the watch', async () => {
  const names = (await readdir(join(app.folder, 'assets'))).filter((name) => name.endsWith('.js'));
  const ofPhone = names.filter((name) => !name.startsWith('watch-') && !name.startsWith('qr-'));
  expect(ofPhone.length).toBe(names.length - 2);
  expect(await readFile(join(app.folder, 'index.html'), 'utf8')).not.toContain('qr-');
  const codes = await Promise.all(ofPhone.map((name) => readFile(join(app.folder, 'assets', name))));
  const kB = codes.reduce((sum, code) => sum + gzipSync(code, { level: 9 }).length, 0) / 1000;
  console.log(`The JavaScript of a phone: ${kB.toFixed(1)} kB gzip of ${phoneKbMax}.`);
  expect(kB).toBeLessThanOrEqual(phoneKbMax);
  expect(codes.filter((code) => code.includes('watch-clock'))).toEqual([]);
});

test('[APP-6] the worker knows each file of the build, and no other', async () => {
  const worker = await readFile(join(app.folder, 'sw.js'), 'utf8');
  const names = await readdir(app.folder, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map((entry) => `${entry.parentPath}/${entry.name}`);
  const paths = files.map((path) => path.slice(app.folder.length)).filter((path) => path !== '/sw.js');
  const known = [...worker.matchAll(/["'`](\/[\w./-]+\.(?:html|js|css|svg|png|webmanifest))["'`]/g)].map(
    ([, path]) => path,
  );
  expect([...new Set(known)].toSorted()).toEqual(paths.toSorted());
});

test('[APP-11] the manifest names icons that have the size that it says', async () => {
  const manifestOf = async (name: string) => JSON.parse(await readFile(join(app.folder, name), 'utf8')) as Manifest;
  expect(await manifestOf('watch.webmanifest')).toMatchObject({ display: 'standalone', start_url: '/watch' });
  expect(await readFile(join(app.folder, 'watch.html'), 'utf8')).toContain('href="/watch.webmanifest"');
  const manifest = await manifestOf('manifest.webmanifest');
  expect(manifest).toMatchObject({ name: 'Gemba', display: 'standalone', start_url: '/' });
  for (const { src, sizes, type } of manifest.icons) {
    const icon = await readFile(join(app.folder, src));
    if (type !== 'image/png') continue;
    // The head of a PNG has its width and its height.
    expect([src, `${icon.readUInt32BE(16)}x${icon.readUInt32BE(20)}`]).toEqual([src, sizes]);
  }
  expect(manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose ?? ''}`.trim())).toEqual(
    expect.arrayContaining(['192x192', '512x512', '512x512 maskable']),
  );
});

interface Manifest {
  icons: { src: string; sizes: string; type: string; purpose?: string }[];
}
