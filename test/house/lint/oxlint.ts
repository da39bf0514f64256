/** Lints temporary files with the repository's own configuration. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

export interface SourceFile {
  path: string;
  text: string;
}

/** The rules that reported each file, by path; a file without findings is absent. */
export async function lint(files: SourceFile[]): Promise<Map<string, string[]>> {
  const folder = await mkdtemp(join(tmpdir(), 'gemba-lint-'));
  try {
    for (const name of ['.oxlintrc.json', '.oxlint-zones.json']) await cp(join(root, name), join(folder, name));
    for (const { path, text } of files) await write(join(folder, path), text);
    return rulesByFile(await oxlint(folder));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const root = resolve(import.meta.dirname, '../../..');

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

function oxlint(folder: string): Promise<string> {
  const program = join(root, 'node_modules/oxlint/bin/oxlint');
  return new Promise((done) => {
    // oxlint exits with 1 when it finds something, as these files should make it.
    execFile(process.execPath, [program, '--format', 'json'], { cwd: folder }, (_found, stdout) => done(stdout));
  });
}

function rulesByFile(json: string): Map<string, string[]> {
  const { diagnostics } = JSON.parse(json) as { diagnostics: { filename: string; code: string }[] };
  const found = new Map<string, string[]>();
  for (const { filename, code } of diagnostics) {
    const rule = code.replace(/^.*\((.*)\)$/, '$1');
    found.set(filename, [...(found.get(filename) ?? []), rule]);
  }
  return found;
}
