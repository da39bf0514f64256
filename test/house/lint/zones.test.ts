/** Gives imports to oxlint, which must report those against the arrows. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { subfolderDepthMax } from '../../../tools/zone-rules.ts';
import { zones } from '../../../tools/zones.ts';
import { lint } from './oxlint.ts';

/** [the importing file or its folder, what it imports] */
type Import = [string, string];

const importsFromEach = (from: string[], sources: string[]): Import[] =>
  from.flatMap((folder) => sources.map((source): Import => [folder, source]));

const forbiddenImports: Import[] = [
  ...importsFromEach(
    ['shared/schema', 'shared/domain'],
    ['../../client/client.ts', '../../server/app.ts', 'node:crypto', 'rxdb'],
  ),
  ['shared/domain', '../schema/map.ts'],
  ['shared/domain', '../protocol/problem.ts'],
  ['shared/domain', 'uuid'],
  ['shared/schema', '../domain/apply.ts'],

  // These imports go against the way of a tap.
  ['client/core', '../storage/rows.ts'],
  ['client/storage', '../outbox/outbox.ts'],
  ['client/storage/journal', '../../outbox/outbox.ts'],
  ['client/outbox/model', '../../sync/cycle/push.ts'],
  ['client/outbox', '../view/view.ts'],
  ['client/view', '../recording/recordings.ts'],
  ['client/recording', '../sync/tabs/tabs.ts'],
  ['client/sync/cycle', '../../recording/recordings.ts'],
  ['client/sync/net', '../../transfer/unsent-file.ts'],
  ['client/transfer', '../devices/device-verbs.ts'],
  ['client/devices', '../transfer/import-unsent.ts'],
  ...importsFromEach(
    ['client/core', 'client/outbox', 'client/transfer'],
    ['../open.ts', '../gemba.ts', '../app/phone.tsx'],
  ),
  ...importsFromEach(
    ['client/outbox', 'client/storage'],
    ['../../server/app.ts', '../../test/postgres.ts', 'node:fs', 'preact'],
  ),
  ...importsFromEach(['client/outbox', 'client/app/phone/maps', 'server/store'], ['rxdb/plugins/core', 'dexie']),
  ['client', './app/phone.tsx'],
  ['client', 'react'],
  ['client', './react/provider.ts'],
  ['client/entries', '../app/phone.tsx'],
  ['client/app/ui', 'react'],
  ...importsFromEach(
    ['client/react'],
    ['../open.ts', '../core/clock.ts', '../app/phone.tsx', '../../shared/domain/apply.ts', 'preact', 'node:fs'],
  ),
  ...importsFromEach(
    ['client/rxdb'],
    ['../open.ts', '../view/view.ts', '../../shared/domain/apply.ts', 'dexie', 'react'],
  ),
  ['client', '../server/app.ts'],
  ['client', '../test/postgres.ts'],

  ['client/app', '../open.ts'],
  ['client/app', '../outbox/outbox.ts'],
  ['client/app', '../../shared/domain/apply.ts'],
  ['client/app', 'node:fs'],
  ['client/app/watch', '../../sync/cycle/loop.ts'],
  ['client/app/watch', '../phone/maps/maps.tsx'],
  ['client/app/watch', '../../core/clock.ts'],
  ['client/app/watch', '../../../shared/domain/apply.ts'],
  ['client/app/watch', '../../../server/app.ts'],
  ['client/app/phone/maps', '../../watch/watch.tsx'],
  ['client/app/phone/maps', '../../../core/clock.ts'],
  ['client/app/phone', '../app.tsx'],
  ['client/app/ui', '../phone/maps/maps.tsx'],
  ['client/app/ui', '../pairing/paired.ts'],
  ['client/app/shell', '../ui/button.tsx'],
  ['client/app/shell/devtools', '../../../inspect/inspector.ts'],
  ['client/app/text', '../shell/engine.tsx'],
  ['client/app/shell/service-worker', '../engine.tsx'],

  ...importsFromEach(
    ['server/http', 'server/sync', 'server/mutate', 'server/store'],
    ['../../client/client.ts', '../app.ts', '../../test/postgres.ts'],
  ),
  ...importsFromEach(['server/http', 'server/store'], ['rxdb', 'dexie']),
  ...importsFromEach(['server/mutate', 'server/auth'], ['../http/problem.ts', '../sync/push.ts', 'express', 'pg']),
  ['server', '../client/client.ts'],
  ['server', '../test/postgres.ts'],
  ['server/core', '../mutate/token-check.ts'],
  ['server/sync', '../http/problem.ts'],
  ['server/sync', '../../server/http/problem.ts'],
  ['server/mutate', '../auth/pair.ts'],
  ['server/store', '../mutate/token-check.ts'],
  ['server/store/postgres', '../../sync/push.ts'],
  ['server/store/sqlite', '../../http/problem.ts'],
  ['server/store/sqlite', '../../../client/client.ts'],
  ['server/http/routes', '../../app.ts'],
  ...importsFromEach(
    ['server/openapi', 'server/observe'],
    ['../http/http-app.ts', '../sync/push.ts', '../store/store.ts', '../app.ts'],
  ),
  ['server/openapi/reference', '../../core/reply.ts'],
  ...importsFromEach(['server/sync', 'server/mutate', 'server/store'], ['../openapi/document.ts', '../observe/log.ts']),

  // Tests, too, keep the two sides apart, and RxDB stays in its folder.
  ['client/outbox/outbox.test.ts', '../../server/app.ts'],
  ['client/storage/store.test.ts', '../../server/app.ts'],
  ['client/sync/sync.test.ts', 'rxdb/plugins/core'],
  ['server/http/http.test.ts', '../../client/client.ts'],
  ['server/sync/sync.test.ts', 'dexie'],
];

const allowedImports: Import[] = [
  ['shared/domain', './stages.ts'],
  ['shared/domain', '../schema/limits.ts'],
  ['shared/schema', 'typebox'],
  ['shared/protocol', '../schema/map.ts'],
  ['client/storage', 'rxdb/plugins/core'],
  ['client/storage/journal', '../../core/clock.ts'],
  ['client/outbox', '../storage/rows.ts'],
  ['client/outbox', '../../shared/domain/apply.ts'],
  ['client/outbox/model', '../../storage/rows.ts'],
  ['client/recording', '../view/view.ts'],
  ['client/sync/cycle', '../net/transport.ts'],
  ['client/sync/cycle', '../../outbox/outbox.ts'],
  ['client/transfer', '../recording/recordings.ts'],
  ['client', './sync/tabs/tabs.ts'],
  ['client/entries', '../react/provider.ts'],
  ['client/entries', '../node/file-mirror.ts'],
  ['client/react', '../client.ts'],
  ['client/react', 'react'],
  ['client/react', 'rxjs'],
  ['client/rxdb', '../client.ts'],
  ['client/rxdb', '../generated/rxdb-fields.ts'],
  ['client/rxdb', 'rxdb/plugins/replication'],
  ['client/app', '../client.ts'],
  ['client/app', './phone/phone.tsx'],
  ['client/app/watch', '../../client.ts'],
  ['client/app/phone/maps', '../../../client.ts'],
  ['client/app/phone/maps', '../../ui/button.tsx'],
  ['client/app/phone/maps', '../runs/runs.tsx'],
  ['server/http', '../sync/push.ts'],
  ['server/http/routes', '../../mutate/rest-unit.ts'],
  ['server/http', '../openapi/document.ts'],
  ['server/http', '../observe/log.ts'],
  ['server/auth', '../mutate/token-check.ts'],
  ['server/sync', '../mutate/token-check.ts'],
  ['server/mutate', '../store/store.ts'],
  ['server/store/postgres', '../store.ts'],
  ['server/store/postgres', 'pg'],
  ['server/openapi/operations', '../component.ts'],
  ['server/cli', '../environment.ts'],
  ['server/http/app.test.ts', '../app.ts'],
  ['server/store/contract.test.ts', '../../test/postgres.ts'],
  ['client/outbox/draft.test.ts', 'node:fs'],
  ['client/storage/open.test.ts', 'rxdb'],
  ['test', '../client/client.ts'],
  ['test', '../server/app.ts'],
];

/** `import()` of the app, which uses the public face of the package alone. */
const forbiddenOnDemand: Import[] = [
  ['client/app', '../open.ts'],
  ['client/app', '../../server/app.ts'],
  ['client/app/shell', '../../inspect/inspector.ts'],
  ['client/app/shell', '../../entries/native.ts'],
  ['client/app/phone/maps', '../../../outbox/outbox.ts'],
  ['client/app/phone/maps', '../../../../shared/domain/apply.ts'],
  ['client/app/watch', '../phone/maps/maps.tsx'],
  ['client/app/desk', 'dexie'],
];

const allowedOnDemand: Import[] = [
  ['client/app/phone/maps', '../../../client.ts'],
  ['client/app/shell', '../../entries/devtools.ts'],
  ['client/app/phone/carry', '../../text/relay/phone-relay.ts'],
];

const rowsOf = (prefix: string, imports: Import[], textOf: (source: string) => string) =>
  imports.map(([from, source], index) => ({
    path: from.endsWith('.ts') ? from : `${from}/${prefix}-${index}.ts`,
    text: textOf(source),
    from,
    source,
  }));
const importing = (source: string) => `import { a } from '${source}';\nexport const b = () => a;\n`;
const onDemand = (source: string) => `export const b = () => import('${source}');\n`;
const forbidden = [
  ...rowsOf('forbidden', forbiddenImports, importing),
  ...rowsOf('forbidden-on-demand', forbiddenOnDemand, onDemand),
];
const allowed = [
  ...rowsOf('allowed', allowedImports, importing),
  ...rowsOf('allowed-on-demand', allowedOnDemand, onDemand),
];

let reportedRules: Map<string, string[]>;

beforeAll(async () => {
  reportedRules = await lint([...forbidden, ...allowed]);
});

test.each(forbidden)('[HOUSE-2] $from may not import $source', ({ path }) => {
  expect(reportedRules.get(path)).toEqual(['no-restricted-imports']);
});

test.each(allowed)('[HOUSE-2] $from may import $source', ({ path }) => {
  expect(reportedRules.get(path)).toBeUndefined();
});

/** Lists what a file of the app imports from outside by a type such as `import('./a.ts').A`, or by an expression. */
function unseenImports(path: string, source: string): string[] {
  const publicFaces = zones['client/app']!.mayImport;
  return Array.from(source.matchAll(/\bimport\(\s*(?:'([^']+)'|([^)]*))/g), ([, literal, expression]) =>
    literal?.startsWith('.') ? join(dirname(path), literal) : (expression ?? ''),
  ).filter((target) => target !== '' && !target.startsWith('client/app/') && !publicFaces.includes(target));
}

test('[HOUSE-2] no file of the app reaches the inside of the engine by a way that oxlint does not see', () => {
  expect(unseenImports('client/app/a.ts', "type A = import('../view/view.ts').View;")).toEqual(['client/view/view.ts']);
  expect(unseenImports('client/app/a.ts', 'import(`../${name}.ts`)')).toEqual(['`../${name}.ts`']);

  const files = sourcesIn('client/app');
  expect(files.length).toBeGreaterThan(100);
  expect(files.flatMap((path) => unseenImports(path, readFileSync(join(root, path), 'utf8')))).toEqual([]);
});

const root = resolve(import.meta.dirname, '../../..');
const sourcesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
    .map((name) => join(folder, name));

test('[HOUSE-2] each source file is in a zone, at a depth that the rules of the zone reach', () => {
  const depthInZone = (folder: string, depth = 0): number =>
    folder in zones ? depth : folder === '.' ? Infinity : depthInZone(dirname(folder), depth + 1);
  const folders = new Set(['client', 'server', 'shared'].flatMap(sourcesIn).map((path) => dirname(path)));
  expect([...folders].filter((folder) => depthInZone(folder) > subfolderDepthMax)).toEqual([]);
});
