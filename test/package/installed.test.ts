import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { expect, test } from 'vitest';
import { findFreePort } from '../free-port.ts';
import { fencesOf, runFences } from '../house/documents/fences.ts';
import { copyProject, installPackage, run } from './installed-package.ts';

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

test('[LIB-3] a strict project without skipLibCheck compiles, as Node and as a bundler resolve modules', async () => {
  const { project } = await installPackage();
  const copy = await copyProject(project, ['typescript', '@typescript', '@types/react']);
  await writeFile(join(copy, 'main.ts'), strictProgram);

  for (const [module, moduleResolution] of [
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ]) {
    const compilerOptions = {
      module,
      moduleResolution,
      target: 'es2022',
      lib: ['es2022', 'dom'],
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
    };
    await writeFile(join(copy, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['main.ts'] }));
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

test('[LIB-4] the README of the package works as it reads, in an empty project', async () => {
  const { project } = await installPackage();
  const copy = await copyProject(project, [
    'react',
    'react-dom',
    'scheduler',
    'vite',
    'rolldown',
    '@rolldown',
    '@oxc-project',
  ]);
  const port = await findFreePort();
  const markdown = (await readFile(join(project, 'node_modules/gemba/README.md'), 'utf8')).replaceAll(
    ':8080',
    `:${port}`,
  );
  for (const [name, code] of filesOf(markdown)) await writeFile(join(copy, name), code);
  // The tarball is installed already, and the others are linked.
  const fences = fencesOf(markdown).filter(({ code }) => !code.startsWith('npm install'));

  await expect(runFences({ fences, folder: copy, env: { PORT: String(port) } })).resolves.toBeDefined();

  const assets = await readdir(join(copy, 'dist/assets'));
  expect(assets.filter((name) => name.includes('worker'))).toHaveLength(2);
});

/** Finds fences whose info string names a file, as in \`\`\`js record.js */
const filesOf = (markdown: string): [string, string][] =>
  Array.from(markdown.matchAll(/^```\w+ ([\w-]+\.\w+)\n([^]*?)^```$/gm), ([, name, code]) => [name!, code!]);

const toArrayBuffer = (bytes: Buffer): ArrayBuffer =>
  bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
