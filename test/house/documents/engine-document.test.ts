/** Compares docs/engine.md with the engine, and runs its example. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { testServer } from '../../device/test-server.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string) => readFile(join(root, path), 'utf8');
const document = await read('docs/engine.md');

/** The names that a type declares, one a line with the given indentation. */
const namesIn = (source: string, pattern: RegExp) => [...source.matchAll(pattern)].map(([, name]) => name!);
const missingNames = (names: string[], form: (name: string) => RegExp) =>
  names.filter((name) => !form(name).test(document));

test('[HOUSE-11] engine.md names each verb, observable, option, error and remedy of the engine', async () => {
  const face = await read('client/gemba.ts');
  const platform = await read('client/photos/photo-platform.ts');
  const [, photoParts = ''] = /export interface PhotoParts \{([\s\S]*?)^\}/m.exec(platform) ?? [];
  const members = namesIn(face + (await read('client/photos/photo-verbs.ts')), /^ {2}(\w+\$?)[(:]/gm);
  expect(members.length).toBeGreaterThan(35);
  expect(missingNames(members, (name) => new RegExp(`\`${name.replace('$', '\\$')}[\`(]`))).toEqual([]);

  const [, options = ''] =
    /export interface GembaOptions extends AttachedParts, PhotoParts \{([\s\S]*?)^\}/m.exec(face) ?? [];
  const optionNames = namesIn(options + photoParts + (await read('client/attached-parts.ts')), /^ {2}(\w+)\??:/gm);
  expect(optionNames).toEqual(expect.arrayContaining(['onBegun', 'carrier', 'handOver', 'photos']));
  expect(missingNames(optionNames, (name) => new RegExp(`^\\| \`${name}\``, 'm'))).toEqual([]);

  const [, codes = ''] = /type DeviceErrorCode =([\s\S]*?);$/m.exec(await read('client/core/errors.ts')) ?? [];
  const [, remedies = ''] = /type Remedy =([\s\S]*?);$/m.exec(await read('client/outbox/attention/attention.ts')) ?? [];
  const quoted = namesIn(codes + remedies, /[|=] '(\w+)'/g);
  expect(quoted.length).toBeGreaterThan(15);
  expect(missingNames(quoted, (name) => new RegExp(`\`${name}\``))).toEqual([]);
});

test('[HOUSE-32] engine.md names each exported value, and each field of what the engine emits', async () => {
  const lists = (await read('client/client.ts')).matchAll(/^export \{([^}]*)\}/gm);
  const storages = (await read('client/entries/node.ts')) + (await read('client/entries/native.ts'));
  const values = [...lists, ...storages.matchAll(/^export const (\w+)/gm)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.trim()),
  );
  const exported = values.filter((name) => name !== '' && !name.startsWith('type '));
  expect(exported).toEqual(expect.arrayContaining(['stageKey', 'nodeStorage', 'sqliteStorage']));
  expect(missingNames(exported, (name) => new RegExp(`\`${name}[\`(]`))).toEqual([]);

  for (const [file, type] of emittedTypes) {
    const [, body = ''] =
      new RegExp(`export interface ${type}\\b[^{]*\\{([^]*?)^\\}`, 'm').exec(await read(file)) ?? [];
    const fields = namesIn(body, /^ {2}(\w+)\??[(:]/gm);
    expect(fields.length, type).toBeGreaterThan(0);
    expect(
      missingNames(fields, (name) => new RegExp(`\\b${name}\\b`)),
      type,
    ).toEqual([]);
  }
});

const emittedTypes: [file: string, type: string][] = [
  ['client/photos/photo-verbs.ts', 'PhotosStatus'],
  ['client/recording/recording.ts', 'Recorded'],
  ['client/recording/recording.ts', 'Recording'],
  ['client/recording/recording.ts', 'RecordingVerbs'],
  ['client/recording/recording.ts', 'Finished'],
  ['client/recording/recording.ts', 'Discarded'],
  ['client/recording/draft-step.ts', 'RecordedStep'],
  ['client/outbox/attention/attention.ts', 'Attention'],
  ['client/sync/tabs/status.ts', 'Status'],
  ['client/storage/journal/mirror.ts', 'Mirror'],
  ['client/devices/device-verbs.ts', 'PairedDevice'],
];

test('[HOUSE-24] the example for Node prints what it says', async () => {
  const [, code = '', printed = ''] = /```js node\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/.exec(document) ?? [];
  const server = await testServer();
  onTestFinished(() => server.remove());
  const folder = await mkdtemp(join(root, 'node_modules/.cache-engine-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'example.mjs');
  await writeFile(file, code.replaceAll('./client/', join(root, 'client/')));
  const env = { ...process.env, GEMBA_URL: server.url, GEMBA_KEY: await server.newAccount() };
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', file], { env, cwd: folder });
  expect(stdout).toBe(printed);
});
