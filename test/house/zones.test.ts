/** Feeds imports to oxlint, with the house's own configuration, and expects it to bite where an arrow points the wrong way. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** [the folder of the importing file, what it imports] */
const forbidden: [string, string][] = [
  ['shared/schema', '../../server/store/store.ts'],
  ['shared/protocol', '../../client/client.ts'],
  ['shared/schema', 'node:crypto'],
  ['shared/schema', 'rxdb'],
  ['shared/domain', '../schema/map.ts'],
  ['shared/domain', '../protocol/problem.ts'],
  ['shared/domain', '../../client/client.ts'],
  ['shared/domain', 'uuid'],
  ['shared/domain', 'node:crypto'],
  ['client', '../server/app.ts'],
  ['client', 'rxdb'],
  ['client/outbox', 'rxdb/plugins/core'],
  ['client/outbox', 'dexie'],
  ['client/outbox', 'node:fs'],
  ['client/outbox', '../pwa/phone.ts'],
  ['client/outbox', '../../test/postgres.ts'],
  ['client/sync', '../../server/sync/push.ts'],
  ['client/store', '../../server/store/store.ts'],
  ['client/pwa', '../outbox/outbox.ts'],
  ['client/pwa', '../store/open.ts'],
  ['client/pwa', '../../shared/domain/apply.ts'],
  ['client/pwa', 'rxdb'],
  ['client/pwa/watch', '../../sync/loop.ts'],
  ['server', '../client/client.ts'],
  ['server/http', '../../client/client.ts'],
  ['server/http', '../app.ts'],
  ['server/http', 'rxdb'],
  ['server/sync', '../http/problem.ts'],
  ['server/sync', '../../server/http/problem.ts'],
  ['server/mutate', '../http/problem.ts'],
  ['server/mutate', '../sync/push.ts'],
  ['server/store', '../mutate/mutate.ts'],
  ['server/store/postgres', '../../sync/push.ts'],
  ['server/store/sqlite', '../../http/problem.ts'],
  ['server/store/sqlite', '../../../client/client.ts'],
];

const allowed: [string, string][] = [
  ['shared/domain', './stages.ts'],
  ['shared/domain', '../schema/limits.ts'],
  ['shared/schema', 'typebox'],
  ['client/outbox', '../store/open.ts'],
  ['client/outbox', '../../shared/domain/apply.ts'],
  ['client/store', 'rxdb/plugins/core'],
  ['client/pwa', '../client.ts'],
  ['client/pwa/watch', '../../client.ts'],
  ['client/pwa/watch', '../dial.ts'],
  ['server/http', '../sync/push.ts'],
  ['server/http', '../mutate/mutate.ts'],
  ['server/sync', '../mutate/mutate.ts'],
  ['server/mutate', '../store/store.ts'],
  ['server/store/postgres', '../store.ts'],
  ['server/store/postgres', 'pg'],
  ['test', '../client/client.ts'],
  ['test', '../server/app.ts'],
];

/** Rules beyond the zones: the file's path, its text and the rule that must bite, or none. */
const samples: { path: string; text: string; rule?: string }[] = [
  { path: 'shared/domain/types.ts', text: `import type { A } from '../schema/map.ts';\nexport type B = A;\n` },
  { path: 'client/pwa/types.ts', text: `import type { A } from '../../shared/schema/map.ts';\nexport type B = A;\n` },
  { path: 'shared/domain/now.ts', text: 'export const now = Date.now();\n', rule: 'no-restricted-properties' },
  { path: 'shared/domain/chance.ts', text: 'export const x = Math.random();\n', rule: 'no-restricted-properties' },
  { path: 'shared/domain/fetch.ts', text: `export const x = fetch('/');\n`, rule: 'no-restricted-globals' },
  { path: 'server/default.ts', text: 'export default 1;\n', rule: 'no-default-export' },
  { path: 'server/barrel.ts', text: `export * from './ring-a.ts';\n`, rule: 'no-barrel-file' },
  { path: 'server/unused.ts', text: 'const a = 1;\nexport const b = 2;\n', rule: 'no-unused-vars' },
  {
    path: 'server/types.ts',
    text: `import { A } from './ring-a.ts';\nexport const b = (c: A) => c;\n`,
    rule: 'consistent-type-imports',
  },
  { path: 'server/ring-a.ts', text: `import { b } from './ring-b.ts';\nexport const a = () => b;\n`, rule: 'no-cycle' },
  { path: 'server/ring-b.ts', text: `import { a } from './ring-a.ts';\nexport const b = () => a;\n`, rule: 'no-cycle' },
  { path: 'server/room-301.ts', text: 'export const a = 1;\n' + '// a line\n'.repeat(300), rule: 'max-lines' },
  { path: 'server/room-300.ts', text: 'export const a = 1;\n' + '// a line\n'.repeat(299) },
];

let copy: string;
let bites: Map<string, string[]>;

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'gemba-zones-'));
  await cp(join(root, '.oxlintrc.json'), join(copy, '.oxlintrc.json'));
  for (const [index, [folder, source]] of forbidden.entries())
    await write(pathOf(folder, 'bad', index), importing(source));
  for (const [index, [folder, source]] of allowed.entries())
    await write(pathOf(folder, 'good', index), importing(source));
  for (const { path, text } of samples) await write(path, text);
  bites = await lint();
});

afterAll(() => rm(copy, { recursive: true, force: true }));

describe('[HOUSE-2] imports point one way', () => {
  test.each(forbidden.map((row, index) => [...row, index] as const))(
    '%s may not import %s',
    (folder, _source, index) => {
      expect(bites.get(pathOf(folder, 'bad', index))).toEqual(['no-restricted-imports']);
    },
  );

  test.each(allowed.map((row, index) => [...row, index] as const))('%s may import %s', (folder, _source, index) => {
    expect(bites.get(pathOf(folder, 'good', index))).toBeUndefined();
  });
});

describe('[HOUSE-3] the linter holds the style that it can see', () => {
  test.each(samples)('$path: $rule', ({ path, rule }) => {
    expect(bites.get(path)).toEqual(rule ? [rule] : undefined);
  });
});

const pathOf = (folder: string, kind: 'good' | 'bad', index: number) => `${folder}/${kind}-${index}.ts`;

const importing = (source: string) => `import { a } from '${source}';\nexport const b = () => a;\n`;

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(copy, path)), { recursive: true });
  await writeFile(join(copy, path), text);
}

/** The rules that bit, by file. */
async function lint(): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const { filename, code } of JSON.parse(await oxlint()).diagnostics as { filename: string; code: string }[]) {
    const rule = code.replace(/^.*\((.*)\)$/, '$1');
    found.set(filename, [...(found.get(filename) ?? []), rule]);
  }
  return found;
}

function oxlint(): Promise<string> {
  const program = join(root, 'node_modules/oxlint/bin/oxlint');
  return new Promise((done) => {
    // It exits 1 when it finds something, and here it should.
    execFile(process.execPath, [program, '--format', 'json'], { cwd: copy }, (_found, stdout) => done(stdout));
  });
}
