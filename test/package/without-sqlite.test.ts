import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadNodeSqlite } from '../../shared/sqlite/node-sqlite.ts';
import { copyProject, installPackage, run } from './installed-package.ts';

test('[STORAGE-99] where neither node:sqlite nor its package loads, the opening is refused, names both, and makes no file', async () => {
  const { project } = await installPackage();
  const folder = await copyProject(project);
  await rm(join(folder, 'node_modules/@photostructure'), { recursive: true });
  await writeFile(join(folder, 'main.js'), program);
  // Node 20 has no SQLite of its own, and does not know the flag.
  const flags = loadNodeSqlite() ? ['--no-experimental-sqlite'] : [];

  const { stdout } = await run(process.execPath, [...flags, 'main.js'], { cwd: folder });

  expect(stdout.split('\n')).toEqual([
    'unsupported_platform',
    `Node ${process.version} has no node:sqlite: use Node 22.13 or later, or install the package @photostructure/sqlite.`,
    'ERR_MODULE_NOT_FOUND',
    'false',
    '',
  ]);
});

const program = `
import { existsSync } from 'node:fs';
import { openGemba } from 'gemba';
import { nodeStorage } from 'gemba/node';

const options = { name: 'station', url: 'http://127.0.0.1:9', storage: nodeStorage('station.db') };
const error = await openGemba(options).catch((reason) => reason);
for (const fact of [error.code, error.message, error.cause?.code, existsSync('station.db')]) console.log(fact);
`;
