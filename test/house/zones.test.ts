/** Feeds imports to oxlint and expects it to bite where an arrow points the wrong way. */
import { beforeAll, expect, test } from 'vitest';
import { lint } from './oxlint.ts';

/** [the importing file or its folder, what it imports] */
type Import = [string, string];

const each = (from: string[], sources: string[]): Import[] =>
  from.flatMap((folder) => sources.map((source): Import => [folder, source]));

const forbidden: Import[] = [
  ...each(['shared/schema', 'shared/domain'], ['../../client/client.ts', '../../server/app.ts', 'node:crypto', 'rxdb']),
  ...each(['shared/schema', 'client/outbox', 'client/store', 'client/pwa'], ['../../server/app.ts']),
  ...each(['server/http', 'server/sync', 'server/mutate', 'server/store'], ['../../client/client.ts', '../app.ts']),
  ...each(['client', 'client/outbox', 'client/pwa', 'client/pwa/watch', 'server'], ['rxdb/plugins/core', 'dexie']),
  ...each(['server/http', 'server/sync', 'server/mutate', 'server/store'], ['rxdb', 'dexie', '../postgres.ts']),
  ...each(['shared/schema', 'client/outbox', 'client/store', 'client/pwa'], ['../postgres.ts']),
  ...each(['client/outbox', 'client/store', 'client/pwa', 'client/pwa/watch'], ['node:fs']),
  ...each(['client/outbox', 'client/store'], ['../pwa/phone.ts']),
  ...each(['client', 'server'], ['../test/postgres.ts']),

  ['shared/domain', '../schema/map.ts'],
  ['shared/domain', '../protocol/problem.ts'],
  ['shared/domain', 'uuid'],
  ['client', '../server/app.ts'],
  ['client/pwa', '../outbox/outbox.ts'],
  ['client/pwa', '../clock.ts'],
  ['client/pwa', '../../shared/domain/apply.ts'],
  ['client/pwa/watch', '../../sync/loop.ts'],
  ['client/pwa/watch', '../phone/maps.tsx'],
  ['client/pwa/phone', '../watch/watch.tsx'],
  ['client/app/ui', '../phone/maps.tsx'],
  ['client/app/shell/service-worker', '../texts.ts'],
  ['client/pwa/watch', '../../clock.ts'],
  ['client/pwa/watch', '../../../shared/domain/apply.ts'],
  ['client/pwa/watch', '../../../server/app.ts'],
  ['server', '../client/client.ts'],
  ['server/sync', '../http/problem.ts'],
  ['server/sync', '../../server/http/problem.ts'],
  ['server/mutate', '../http/problem.ts'],
  ['server/mutate', '../sync/push.ts'],
  ['server/store', '../mutate/mutate.ts'],
  ...each(
    ['server/openapi', 'server/observe'],
    ['../../client/client.ts', '../postgres.ts', 'rxdb', '../app.ts'],
  ),
  ...each(['server/openapi', 'server/observe'], ['../http/http-app.ts', '../sync/push.ts', '../store/store.ts']),
  ['server/openapi/reference', '../../mutate/answer.ts'],
  ...each(['server/sync', 'server/mutate', 'server/store'], ['../openapi/document.ts', '../observe/log.ts']),
  ['server/store/postgres', '../../sync/push.ts'],
  ['server/store/sqlite', '../../http/problem.ts'],
  ['server/store/sqlite', '../../../client/client.ts'],

  // In tests, too, the two sides stay apart and RxDB stays where it is.
  ['client/outbox/outbox.test.ts', '../../server/app.ts'],
  ['client/store/store.test.ts', '../../server/app.ts'],
  ['client/sync/sync.test.ts', 'rxdb/plugins/core'],
  ['server/http/http.test.ts', '../../client/client.ts'],
  ['server/sync/sync.test.ts', 'dexie'],
];

const allowed: Import[] = [
  ['shared/domain', './stages.ts'],
  ['shared/domain', '../schema/limits.ts'],
  ['shared/schema', 'typebox'],
  ['client/outbox', '../store/open.ts'],
  ['client/outbox', '../../shared/domain/apply.ts'],
  ['client/store', 'rxdb/plugins/core'],
  ['client/pwa', '../client.ts'],
  ['client/pwa/watch', '../../client.ts'],
  ['client/pwa/watch', '../dial.ts'],
  ['client/pwa/phone', '../components/button.tsx'],
  ['client/pwa', './phone/phone.tsx'],
  ['server/http', '../sync/push.ts'],
  ['server/http', '../mutate/mutate.ts'],
  ['server/sync', '../mutate/mutate.ts'],
  ['server/mutate', '../store/store.ts'],
  ['server/store/postgres', '../store.ts'],
  ['server/http', '../openapi/document.ts'],
  ['server/http', '../observe/log.ts'],
  ['server/openapi/operations', '../component.ts'],
  ['server/store/postgres', 'pg'],
  ['server/http/app.test.ts', '../app.ts'],
  ['server/store/contract.test.ts', '../postgres.ts'],
  ['client/outbox/draft.test.ts', 'node:fs'],
  ['client/store/open.test.ts', 'rxdb'],
  ['test', '../client/client.ts'],
  ['test', '../server/app.ts'],
];

const rows = [...forbidden, ...allowed].map(([from, source], index) => ({
  path: from.endsWith('.ts') ? from : `${from}/file-${index}.ts`,
  text: `import { a } from '${source}';\nexport const b = () => a;\n`,
  from,
  source,
}));

let bites: Map<string, string[]>;

beforeAll(async () => {
  bites = await lint(rows);
});

test.each(rows.slice(0, forbidden.length))('[HOUSE-2] $from may not import $source', ({ path }) => {
  expect(bites.get(path)).toEqual(['no-restricted-imports']);
});

test.each(rows.slice(forbidden.length))('[HOUSE-2] $from may import $source', ({ path }) => {
  expect(bites.get(path)).toBeUndefined();
});
