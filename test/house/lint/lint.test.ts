import { beforeAll, expect, test } from 'vitest';
import { lint } from './oxlint.ts';

/** Each sample has a path, a text, and the rule that must report it, or none. */
const samples: { path: string; text: string; rule?: string }[] = [
  { path: 'shared/domain/types.ts', text: `import type { A } from '../schema/map.ts';\nexport type B = A;\n` },
  { path: 'client/app/types.ts', text: `import type { A } from '../client.ts';\nexport type B = A;\n` },
  {
    path: 'client/app/watch/types.ts',
    text: `import type { A } from '../../../shared/schema/map.ts';\nexport type B = A;\n`,
    rule: 'no-restricted-imports',
  },
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
  { path: 'server/lines-250.ts', text: 'export const a = 1;\n' + '// a line\n'.repeat(249), rule: 'max-lines' },
  { path: 'server/lines-249.ts', text: 'export const a = 1;\n' + '// a line\n'.repeat(248) },
];

let reportedRules: Map<string, string[]>;

beforeAll(async () => {
  reportedRules = await lint([...samples, ...complexitySamples]);
});

const branches = (count: number) =>
  `export const a = (b: number) => {\n${'  if (b > 1) b++;\n'.repeat(count)}  return b;\n};\n`;

const complexitySamples: typeof samples = [
  { path: 'server/complexity-20.ts', text: branches(19) },
  { path: 'server/complexity-21.ts', text: branches(20), rule: 'complexity' },
  { path: 'test/complexity-21.ts', text: branches(20), rule: 'complexity' },
];

test.each(samples)('[HOUSE-3] the linter holds the style that it can see: $path: $rule', ({ path, rule }) => {
  expect(reportedRules.get(path)).toEqual(rule ? [rule] : undefined);
});

test.each(complexitySamples)(
  '[HOUSE-31] the linter holds the complexity of functions: $path: $rule',
  ({ path, rule }) => {
    expect(reportedRules.get(path)).toEqual(rule ? [rule] : undefined);
  },
);
