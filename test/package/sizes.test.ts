import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { codeAtStart, entrySizes, sizeTable } from '../../tools/package/sizes.ts';
import { installPackage } from './installed-package.ts';

test('[LIB-7] the README says what an app takes of each entry', async () => {
  const { project } = await installPackage();
  const measured = sizeTable(await entrySizes(project));
  const readme = await readFile(join(project, 'node_modules/gemba/README.md'), 'utf8');
  const told = /^\| entry +\|[^]*?\n\n/m.exec(`${readme}\n\n`)?.[0] ?? '';
  const cells = (table: string) =>
    table
      .trim()
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim()));
  expect(cells(told).filter(([, first]) => !first?.startsWith('-'))).toEqual(
    cells(measured).filter(([, first]) => !first?.startsWith('-')),
  );
});

test('[LIB-25] the README says what the tarball takes, packed and unpacked', async () => {
  const { project, tarball } = await installPackage();
  const installed = join(project, 'node_modules/gemba');
  const readme = await readFile(join(installed, 'README.md'), 'utf8');
  const told = /The tarball has ([\d.]+) MB, and ([\d.]+) MB unpacked/.exec(readme)!.slice(1).map(Number);
  const names = await readdir(installed, { recursive: true, withFileTypes: true });
  const files = names.filter((name) => name.isFile()).map((name) => join(name.parentPath, name.name));
  const measured = [await bytesOf([tarball]), await bytesOf(files)].map((bytes) => bytes / 1_000_000);

  for (const [index, megabytes] of measured.entries()) {
    // A document more does not change what the README says.
    expect(Math.abs(told[index]! - megabytes), `${megabytes} MB`).toBeLessThan(0.1);
  }
});

async function bytesOf(files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

test('[LIB-24] an app that uses nothing of the engine loads nothing of it, and one that uses GembaError less than 1 kB', async () => {
  const { project } = await installPackage();

  expect(await codeAtStart(project, "import { openGemba } from 'gemba'; import 'gemba/react';")).toBe('');
  const ofError = await codeAtStart(project, "export { GembaError } from 'gemba';");
  expect(ofError).toContain('extends Error');
  expect(gzipSync(ofError).length).toBeLessThan(1_000);
});
