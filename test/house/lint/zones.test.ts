/** Gives imports to oxlint, which must report those against the arrows. */
import { beforeAll, expect, test } from 'vitest';
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

const rows = [...forbiddenImports, ...allowedImports].map(([from, source], index) => ({
  path: from.endsWith('.ts') ? from : `${from}/file-${index}.ts`,
  text: `import { a } from '${source}';\nexport const b = () => a;\n`,
  from,
  source,
}));

let reportedRules: Map<string, string[]>;

beforeAll(async () => {
  reportedRules = await lint(rows);
});

test.each(rows.slice(0, forbiddenImports.length))('[HOUSE-2] $from may not import $source', ({ path }) => {
  expect(reportedRules.get(path)).toEqual(['no-restricted-imports']);
});

test.each(rows.slice(forbiddenImports.length))('[HOUSE-2] $from may import $source', ({ path }) => {
  expect(reportedRules.get(path)).toBeUndefined();
});
