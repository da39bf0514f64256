/** The files and the size of the built app. */
import type { Dirent } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { builtApp } from '../built-app.ts';

/**
 * The most that a phone may load at its start, in kB (gzip). Half of that is Dexie, RxDB and the validators:
 * docs/decisions/0032-a-row-store-of-our-own.md has the parts.
 */
const startKbMax = 130;
/**
 * The most that a phone may load altogether: 14 kB read QR codes, 23 kB are the hand-overs, 14 kB the photos, 11 kB the
 * exports, 6 kB the imports, 4 kB the drawing of a value stream, and 15 kB show what the device is doing.
 */
const phoneKbMax = 352;
const deskStartKbMax = 140;
const watchStartKbMax = 137;

const app = builtApp();

const languages = ['en', 'de'];

test.each(languages)(
  '[APP-12] [APP-115] [APP-157] [APP-292] the JavaScript that a phone loads at its start stays within its budget in %s, without other languages and the views of the watch',
  async (language) => {
    const page = await readFile(join(app.folder, 'index.html'), 'utf8');
    const code = async (name: string) => readFile(join(app.folder, 'assets', name));
    const kbOf = async (names: string[]) => {
      const codes = await Promise.all(names.map(code));
      return codes.reduce((sum, one) => sum + gzipSync(one, { level: 9 }).length, 0) / 1000;
    };
    const names = (await readdir(join(app.folder, 'assets'))).filter((name) => name.endsWith('.js'));
    const ofPhone = names.filter(
      (name) =>
        !/^(?:watch|desk)-|-(?:watch|desk)-/.test(name) &&
        !(name.startsWith('text-') && !name.startsWith(`text-${language}`)),
    );
    const atStart = ofPhone.filter((name) => page.includes(name) || /^(opfs-worker|sync)-/.test(name));
    const later = ofPhone.filter((name) => !atStart.includes(name)).map((name) => name.replace(/-[\w-]{8}\.js$/, ''));
    expect(later.toSorted()).toEqual([
      'account',
      'body-forms',
      'carry-screens',
      'carrying',
      'compare',
      'devtools',
      'dialog',
      'drawing',
      'events',
      'export',
      'figures',
      'given-storage',
      'groups',
      'import',
      'inspector',
      'mutation-validators',
      'on-demand',
      'pairing',
      'peer',
      'phone-relay',
      'photo-worker',
      'photos',
      'qr',
      'qr-decoder',
      'recovery',
      'sealing',
      'shared-texts',
      `text-${language}-devtools`,
      `text-${language}-on-demand`,
      `text-${language}-pairing`,
      'transfer',
      'updates',
      'xlsx',
    ]);
    for (const name of atStart) {
      const imported = [...String(await code(name)).matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g)].map(
        ([, other]) => other,
      );
      expect(atStart).toEqual(expect.arrayContaining(imported));
    }
    // The app opens its engine without a storage of its own, so that no page loads this file.
    const loaded = ofPhone.filter((name) => !name.startsWith('given-storage-'));
    const [start, all] = [await kbOf(atStart), await kbOf(loaded)];
    console.log(
      `A phone loads in ${language} ${start.toFixed(2)} kB gzip of ${startKbMax} at its start, ${all.toFixed(1)} of ${phoneKbMax} in all.`,
    );
    expect(start).toBeLessThanOrEqual(startKbMax);
    expect(all).toBeLessThanOrEqual(phoneKbMax);
    const codes = await Promise.all(ofPhone.map(code));
    expect(codes.filter((one) => one.includes('watch-clock'))).toEqual([]);
  },
);

test('[APP-213] the JavaScript that a desk loads at its start stays within its budget, without charts and comparisons', async () => {
  const page = await readFile(join(app.folder, 'desk.html'), 'utf8');
  const names = (await readdir(join(app.folder, 'assets'))).filter((name) => name.endsWith('.js'));
  const atStart = names.filter((name) => page.includes(name) || /^(?:opfs-worker|sync)-/.test(name));
  const codes = await Promise.all(atStart.map((name) => readFile(join(app.folder, 'assets', name))));
  const start = codes.reduce((sum, code) => sum + gzipSync(code, { level: 9 }).length, 0) / 1000;
  console.log(`A desk loads ${start.toFixed(2)} kB gzip of ${deskStartKbMax} at its start.`);
  expect(start).toBeLessThanOrEqual(deskStartKbMax);
  expect(atStart.filter((name) => name.startsWith('desk-'))).toHaveLength(1);
  expect(codes.filter((code) => code.includes('yamazumi-bars') || code.includes('watch-clock'))).toEqual([]);
});

test('[APP-520] the JavaScript that a watch loads at its start stays within its budget, without the views of the phone and the desk', async () => {
  const page = await readFile(join(app.folder, 'watch.html'), 'utf8');
  const names = (await readdir(join(app.folder, 'assets'))).filter((name) => name.endsWith('.js'));
  const atStart = names.filter((name) => page.includes(name) || /^(?:opfs-worker|sync)-/.test(name));
  const codes = await Promise.all(atStart.map((name) => readFile(join(app.folder, 'assets', name))));
  for (const code of codes) {
    const imported = [...String(code).matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g)].map(([, other]) => other);
    expect(atStart).toEqual(expect.arrayContaining(imported));
  }
  const start = codes.reduce((sum, code) => sum + gzipSync(code, { level: 9 }).length, 0) / 1000;
  console.log(`A watch loads ${start.toFixed(2)} kB gzip of ${watchStartKbMax} at its start.`);
  expect(start).toBeLessThanOrEqual(watchStartKbMax);
  expect(atStart.filter((name) => name.startsWith('watch-'))).toHaveLength(1);
  expect(codes.filter((code) => code.includes('yamazumi-bars') || code.includes('phone-nav'))).toEqual([]);
});

test('[APP-605] a comparison, an export, an import and a drawing each load without the other three', async () => {
  const names = (await readdir(join(app.folder, 'assets'))).filter((name) => name.endsWith('.js'));
  const kinds = ['compare', 'drawing', 'export', 'import'];
  const kindOf = (name: string) => name.replace(/-[\w-]{8}\.js$/, '');
  const loadedWith = async (name: string, loaded = new Set<string>()): Promise<Set<string>> => {
    loaded.add(name);
    const code = await readFile(join(app.folder, 'assets', name), 'utf8');
    for (const [, other = ''] of code.matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g)) {
      if (!loaded.has(other)) await loadedWith(other, loaded);
    }
    return loaded;
  };
  for (const kind of ['figures', ...kinds]) {
    const [file = ''] = names.filter((name) => kindOf(name) === kind);
    const others = [...(await loadedWith(file))].map(kindOf).filter((name) => kinds.includes(name) && name !== kind);
    expect([kind, others]).toEqual([kind, []]);
  }
});

test('[APP-6] the worker knows each file of the build, and no other', async () => {
  const worker = await readFile(join(app.folder, 'sw.js'), 'utf8');
  const names = await readdir(app.folder, { recursive: true, withFileTypes: true });
  const isServed = (entry: Dirent) => entry.isFile() && !entry.name.endsWith('.br');
  const files = names.filter(isServed).map((entry) => `${entry.parentPath}/${entry.name}`);
  const paths = files.map((path) => path.slice(app.folder.length)).filter((path) => path !== '/sw.js');
  const known = [...worker.matchAll(/["'`,](\/[\w./-]+\.(?:html|js|css|svg|png|webmanifest))(?=["'`,])/g)].map(
    ([, path]) => path,
  );
  expect([...new Set(known)].toSorted()).toEqual(paths.toSorted());
});

test('[APP-11] the manifest names icons that have the size that it says', async () => {
  const manifestOf = async (name: string) => JSON.parse(await readFile(join(app.folder, name), 'utf8')) as Manifest;
  expect(await manifestOf('watch.webmanifest')).toMatchObject({ display: 'standalone', start_url: '/watch' });
  expect(await readFile(join(app.folder, 'watch.html'), 'utf8')).toContain('href="/watch.webmanifest"');
  expect(await manifestOf('desk.webmanifest')).toMatchObject({ display: 'standalone', start_url: '/desk' });
  expect(await readFile(join(app.folder, 'desk.html'), 'utf8')).toContain('href="/desk.webmanifest"');
  const manifest = await manifestOf('manifest.webmanifest');
  expect(manifest).toMatchObject({ name: 'Gemba', display: 'standalone', start_url: '/' });
  for (const { src, sizes, type } of manifest.icons) {
    const icon = await readFile(join(app.folder, src));
    if (type !== 'image/png') continue;
    // The header of a PNG has the width and the height at these offsets.
    expect([src, `${icon.readUInt32BE(16)}x${icon.readUInt32BE(20)}`]).toEqual([src, sizes]);
  }
  expect(manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose ?? ''}`.trim())).toEqual(
    expect.arrayContaining(['192x192', '512x512', '512x512 maskable']),
  );
});

interface Manifest {
  icons: { src: string; sizes: string; type: string; purpose?: string }[];
}
