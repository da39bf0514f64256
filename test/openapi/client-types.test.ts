import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testServer, type TestServer } from '../device/test-server.ts';

const root = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);

let server: TestServer;
let folder: string;
beforeAll(async () => {
  server = await testServer();
  // The folder is inside the repository, so that the compiler finds the types of the platform.
  folder = await mkdtemp(join(root, 'node_modules/.gemba-types-'));
  const generator = join(root, 'tools/client-types/node_modules/openapi-typescript/bin/cli.js');
  await run(process.execPath, [generator, `${server.url}/api/v1/openapi.json`, '-o', join(folder, 'gemba.d.ts')], {
    cwd: folder,
  });
});
afterAll(async () => {
  await server.remove();
  await rm(folder, { recursive: true, force: true });
});

test('[OPENAPI-10] a type file for clients comes from the document', async () => {
  expect(await readFile(join(folder, 'gemba.d.ts'), 'utf8')).toMatch(/export interface paths/);
});

test('[OPENAPI-10] a client can be written with it', async () => {
  await expect(compile(clientCode)).resolves.toBe('');
});

test('[OPENAPI-13] and its mistakes are found', async () => {
  const mistaken = clientCode.replace("name: 'Order to delivery'", "title: 'Order to delivery'");
  expect(await compile(mistaken)).toMatch(/use\.ts.*title/);
});

const clientCode = `
import type { components, operations, paths } from './gemba.js';
type NewMap = components['schemas']['NewMap'];
type Created = operations['createMap']['responses'][201]['content']['application/json'];
type Page = paths['/api/v1/maps']['get']['responses'][200]['content']['application/json'];
type Problem = operations['createMap']['responses'][403]['content']['application/problem+json'];

const body: NewMap = { name: 'Order to delivery' };

export async function createMap(url: string, token: string): Promise<Created['id']> {
  const headers = { Authorization: \`Bearer \${token}\`, 'Content-Type': 'application/json' };
  const response = await fetch(\`\${url}/api/v1/maps\`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (response.status === 403) {
    const problem = (await response.json()) as Problem;
    throw new Error(problem.code === 'map_cap_reached' ? 'no room' : problem.detail);
  }
  return ((await response.json()) as Created).id;
}

export const names = (page: Page): string[] => page.data.map((map) => \`\${map.name}, \${map.state}\`);
`;

/** Compiles the code and returns the compiler's messages. */
async function compile(code: string): Promise<string> {
  await writeFile(join(folder, 'use.ts'), code);
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,dom'];
  return run(process.execPath, [tsc, ...options, '--ignoreConfig', join(folder, 'use.ts')]).then(
    ({ stdout }) => stdout,
    (error: { stdout?: string }) => error.stdout ?? String(error),
  );
}
