import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { build } from 'vite';
import { expect, test } from 'vitest';
import { appVersion } from '../../shared/protocol/version.ts';
import { findFreePort } from '../free-port.ts';
import { fencesOf, runFences } from '../house/documents/fences.ts';
import { startGemba } from './gemba-process.ts';
import { copyProject, installPackage, program, run } from './installed-package.ts';
import { filesOf, recordWithApp } from './readme-app.ts';

test('[LIB-1] the package installs few packages, and no builder', async () => {
  const { project } = await installPackage();

  const names = (await readdir(join(project, 'node_modules'))).filter((name) => !name.startsWith('.'));
  expect(names.toSorted()).toEqual([
    '@photostructure',
    'dexie',
    'gemba',
    'node-addon-api',
    'node-gyp-build',
    'rxjs',
    'tslib',
  ]);
});

test('[LIB-2] publint and Are The Types Wrong find nothing in the tarball, which is ESM alone', async () => {
  const { tarball } = await installPackage();
  const bytes = await readFile(tarball);

  const { messages, pkg } = await publint({ pack: { tarball: toArrayBuffer(bytes) } });
  expect(messages.map((message) => formatMessage(message, pkg!))).toEqual([]);

  const result = await checkPackage(createPackageFromTarballData(new Uint8Array(bytes)));
  if (!result.types) throw new Error('the package has no types');
  // A require() of Node 20.19 and newer loads ESM, which this tool does not know.
  const problems = result.problems.filter(
    (problem) =>
      problem.kind !== 'CJSResolvesToESM' && !('resolutionKind' in problem && problem.resolutionKind === 'node10'),
  );
  expect(problems).toEqual([]);
});

test('[LIB-3] [DEV-20] a strict project without skipLibCheck compiles, as Node and as a bundler resolve modules', async () => {
  const { project } = await installPackage();
  const copy = await copyProject(project, ['typescript', '@typescript', '@types']);
  await writeFile(join(copy, 'main.ts'), strictProgram);
  const devtools = await readFile(join(copy, 'node_modules/gemba/docs/devtools.md'), 'utf8');
  await writeFile(join(copy, 'devtools.ts'), devtoolsProgramOf(devtools));

  for (const { module, moduleResolution, lib, types } of [
    { module: 'nodenext', moduleResolution: 'nodenext', lib: ['es2022', 'dom'], types: [] },
    { module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom'], types: [] },
    // A kiosk in Node has no types of a browser.
    { module: 'nodenext', moduleResolution: 'nodenext', lib: ['es2023'], types: ['node'] },
  ]) {
    const compilerOptions = {
      module,
      moduleResolution,
      target: 'es2022',
      lib,
      types,
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
    };
    const files = lib.includes('dom') ? ['main.ts', 'devtools.ts'] : ['main.ts'];
    await writeFile(join(copy, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    await expect(run(process.execPath, ['node_modules/typescript/bin/tsc'], { cwd: copy })).resolves.toBeDefined();
  }
});

const strictProgram = `
import { openGemba, GembaError, type FullMap, type Gemba, type RunDoc } from 'gemba';
import { createCarrier } from 'gemba/relay';
import { openServer } from 'gemba/server';
import { gemba as plugin } from 'gemba/vite';
import { GembaProvider, useMap } from 'gemba/react';
import { nodeStorage } from 'gemba/node';
import { sqliteStorage } from 'gemba/native';

export async function record(): Promise<string> {
  const device: Gemba = await openGemba({ name: 'a', url: 'http://127.0.0.1', carrier: createCarrier(), storage: nodeStorage('a.db') });
  device.map$('x').subscribe((map: FullMap | undefined) => map?.stages.map(({ stage }) => stage.length));
  device.run$(1).subscribe((run: RunDoc | undefined) => run?.steps.length);
  const { map_id } = await device.createMap({ name: 'Press line' });
  // @ts-expect-error a map has a name
  await device.createMap({ names: 'Press line' }).catch((error: unknown) => error instanceof GembaError && error.code);
  return map_id;
}
export const all = [openServer, plugin, GembaProvider, useMap, sqliteStorage];
`;

test('[LIB-4] [LIB-5] [LIB-16] [DEV-20] the README works as it reads in an empty project, and its app records offline in a browser and has the devtools', async () => {
  const { project } = await installPackage();
  const copy = await copyProject(project, builders);
  const port = await findFreePort();
  const markdown = (await readFile(join(project, 'node_modules/gemba/README.md'), 'utf8')).replaceAll(
    ':8080',
    `:${port}`,
  );
  for (const [name, code] of filesOf(markdown)) await writeFile(join(copy, name), code);
  // The tarball is installed already, and the others are linked.
  const fences = fencesOf(markdown).filter(({ code }) => !/^npm install/m.test(code));

  await expect(runFences({ fences, folder: copy, env: { PORT: String(port) } })).resolves.toBeDefined();

  const assets = await readdir(join(copy, 'dist/assets'));
  expect(assets.filter((name) => name.includes('worker'))).toHaveLength(2);
  await buildDevtoolsPage(copy, devtoolsProgramOf(markdown));
  await recordWithApp(copy, { hasDevtools: true });
});

/** The README installs these for an app with React. */
const builders = ['react', 'react-dom', 'scheduler', 'vite', 'rolldown', '@rolldown', '@oxc-project'];

/** Adds a page with the devtools to the built app. */
async function buildDevtoolsPage(folder: string, program: string): Promise<void> {
  const page = '<!doctype html><div id="devtools"></div><script type="module" src="/devtools.js"></script>';
  await writeFile(join(folder, 'devtools.html'), page);
  await writeFile(join(folder, 'devtools.js'), program);
  const input = join(folder, 'devtools.html');
  const options = { outDir: join(folder, 'dist'), emptyOutDir: false, rolldownOptions: { input } };
  await build({ root: folder, configFile: false, logLevel: 'error', build: options });
}

/** Finds the fence that shows the devtools. */
function devtoolsProgramOf(markdown: string): string {
  const fences = Array.from(markdown.matchAll(/^```[jt]s\n([^]*?)^```$/gm), ([, code]) => code!);
  return fences.find((code) => code.includes('mountDevtools'))!;
}

test('[LIB-6] [LIB-17] [SITE-13] the program of the package serves the app and the guide, backs up, exports, restores, changes keys and carries, and refuses what it cannot do', async () => {
  const { project } = await installPackage();
  const folder = await copyProject(project);
  const settings = { DATA_DIR: join(folder, 'data') };
  const server = startGemba(folder, { settings });
  const [, apiKey] = await server.until(/(gk_[\w-]+)/);
  const [, url] = await server.until(/listening on (http\S+)/);
  const steps = [{ stage_name: 'Load', order: 1, duration_secs: 3 }];
  const body = JSON.stringify({ name: 'Press line', steps });
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
  expect((await fetch(`${url}/api/v1/recording/new`, { method: 'POST', headers, body })).status).toBe(201);
  expect(await (await fetch(`${url}/docs/guide/worker.html`)).text()).toContain('<h1 id="record-work">');
  await expectAppAt(url!, join(folder, 'node_modules/gemba/server/files/dist'));
  const gemba = (...args: string[]) => {
    const options = { cwd: folder, env: { PATH: process.env['PATH'] } };
    return run(process.execPath, [program(folder), ...args, '--data', settings.DATA_DIR], options);
  };

  expect((await gemba('backup', 'copy')).stdout).toMatch(/^Backed up .*: 1 accounts/);
  expect((await gemba('export', 'steps.csv', 'all.csv')).stdout).toBe('Wrote 1 runs to all.csv.\n');
  expect(await readFile(join(folder, 'all.csv'), 'utf8')).toMatch(/Press line.*,Load,/);
  expect((await gemba('keys', 'rotate')).stdout).toMatch(/^New keys/);
  await expect(gemba('export', 'steps.csv', 'all.csv')).rejects.toThrow('all.csv is there already');
  await expect(gemba('export', 'steps.pdf', 'all.pdf')).rejects.toThrow('usage: gemba export FORMAT FILE');
  await expect(gemba('move')).rejects.toThrow('DATABASE_URL is not set: name the empty database to move to');
  await expect(gemba('exprot')).rejects.toThrow('there is no command exprot');
  await expect(gemba('--prot', '1')).rejects.toThrow("Unknown option '--prot'");
  const taken = new URL(url!).port;
  await expect(gemba('--port', 'x')).rejects.toThrow('gemba: --port must be an integer');
  await expect(gemba('--port', taken)).rejects.toThrow(
    `port ${taken} of 127.0.0.1 is in use; choose another one with --port`,
  );
  const carry = ['carry', '--listen', '127.0.0.1:0', '--to', url!];
  const carrier = startGemba(folder, { args: carry, settings: { CARRIER_TOKEN: apiKey! } });
  await carrier.until(/^Carries to http\S+ what devices hand over at ws:\/\/127\.0\.0\.1:\d+\/carry$/m);
  for (const { child, ended } of [carrier, server]) {
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  }
  expect((await gemba('restore', 'copy')).stdout).toMatch(/^Restored .*: 1 accounts/);
  expect((await gemba('--version')).stdout).toBe(`${appVersion}\n`);
});

/** Fetches the page of a phone, a watch and a desk, and what each loads first. */
async function expectAppAt(url: string, folder: string): Promise<void> {
  for (const [path, name] of Object.entries({ '/': 'index.html', '/watch': 'watch.html', '/desk': 'desk.html' })) {
    const page = await readFile(join(folder, name), 'utf8');
    const [asset = ''] = /\/assets\/[\w.-]+\.js/.exec(page) ?? [];
    for (const [address, content] of [
      [path, page],
      [asset, await readFile(join(folder, asset), 'utf8')],
    ] as const) {
      const response = await fetch(url + address);
      expect([address, response.status, await response.text()]).toEqual([address, 200, content]);
    }
  }
}

const toArrayBuffer = (bytes: Buffer): ArrayBuffer =>
  bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
