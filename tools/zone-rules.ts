/**
 * Generates oxlint's rules from the table of zones. oxlint's patterns match the text of an import, such as `../core/`,
 * so each depth of subfolders needs its own pattern.
 */
import { packageOwners, zones, type Zone } from './zones.ts';

interface ImportPattern {
  regex?: string;
  group?: string[];
  allowTypeImports?: true;
  message: string;
}

interface LintOverride {
  files: string[];
  excludeFiles: string[];
  patterns: ImportPattern[];
}

/** A zone covers its subfolders down to this depth, except subfolders that are zones themselves. */
export const subfolderDepthMax = 2;

/** Returns the text of `.oxlint-zones.json`, with one override in each line. */
export function zoneRules(): string {
  const overrides = [...Object.entries(zones).flatMap(zoneOverrides), ...testOverrides];
  const lines = overrides.map(({ patterns, ...files }) =>
    JSON.stringify({ ...files, rules: { 'eslint/no-restricted-imports': ['error', { patterns }] } }),
  );
  return `{ "overrides": [\n${lines.join(',\n')}\n] }\n`;
}

function zoneOverrides([folder, zone]: [string, Zone]): LintOverride[] {
  const zonesInside = foldersIn(folder).map((inside) => `${folder}/${inside}/**`);
  const depthsBelow = Array.from({ length: subfolderDepthMax + 1 }, (_, depth) => depth);
  return depthsBelow.map((depth) => ({
    files: [`${folder}/${'*/'.repeat(depth)}*.{ts,tsx}`],
    excludeFiles: ['**/*.test.ts', '**/*.test.tsx', ...(depth > 0 ? zonesInside : [])],
    patterns: forbiddenImportPatterns(folder, zone, depth),
  }));
}

function forbiddenImportPatterns(folder: string, zone: Zone, depth: number): ImportPattern[] {
  const { mayImport, mayImportTypes = [], noShared } = zone;
  const message = `tools/zones.ts says what ${folder} may import`;
  const names = folder.split('/');
  const forbidden = [
    ...forbiddenPackagePatterns(folder, zone),
    `${parentPathPattern(depth + names.length)}(client|server|test|tools)/`,
  ];
  const patterns: ImportPattern[] = [];
  if (noShared) patterns.push({ regex: `^${parentPathPattern(depth + names.length)}shared/`, message });
  for (let level = 1; level <= names.length; level++) {
    const parent = names.slice(0, level).join('/');
    const levelsUp = depth + names.length - level;
    const prefix = '../'.repeat(levelsUp) || './';
    const allowedFiles = (subfolder: string) =>
      mayImport
        .filter((path) => path.startsWith(`${subfolder}/`) && /\.tsx?$/.test(path))
        .map((path) => `!${prefix}${path.slice(parent.length + 1)}`);
    const siblings = foldersIn(parent).filter((sibling) => sibling !== names[level]);
    const isNamed = (list: string[]) => (sibling: string) =>
      list.some((path) => isWithin(path, `${parent}/${sibling}`));
    const closed = siblings.filter((sibling) => !isNamed(mayImport)(sibling) && !isNamed(mayImportTypes)(sibling));
    if (closed.length > 0) forbidden.push(`${parentPathPattern(levelsUp)}(${closed.join('|')})/`);
    for (const sibling of siblings.filter(isNamed(mayImportTypes))) {
      patterns.push({
        group: [`${prefix}${sibling}/**`, ...allowedFiles(`${parent}/${sibling}`)],
        allowTypeImports: true,
        message,
      });
    }
    // Forbids the other files of a sibling folder of which `mayImport` names only files.
    const namesFolder = (sibling: string) =>
      mayImport.some((path) => isWithin(path, `${parent}/${sibling}`) && !/\.tsx?$/.test(path));
    for (const sibling of siblings.filter(isNamed(mayImport))) {
      if (namesFolder(sibling) || isNamed(mayImportTypes)(sibling)) continue;
      patterns.push({ group: [`${prefix}${sibling}/**`, ...allowedFiles(`${parent}/${sibling}`)], message });
    }
    if (level < names.length) {
      const filesHere = allowedFiles(parent).filter((path) => !path.slice(prefix.length + 1).includes('/'));
      patterns.push({ group: [`${prefix}*.ts`, `${prefix}*.tsx`, ...filesHere], message });
    }
  }
  return [{ regex: `^(${forbidden.join('|')})`, message }, ...patterns];
}

const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);
const parentPathPattern = (count: number): string => (count === 0 ? '\\./' : `(\\.\\./){${count}}`);

function foldersIn(parent: string): string[] {
  const inside = Object.keys(zones).filter((folder) => folder.startsWith(`${parent}/`));
  return [...new Set(inside.map((folder) => folder.slice(parent.length + 1).split('/')[0] ?? ''))];
}

function forbiddenPackagePatterns(folder: string, { noPackages, mayImportNode }: Zone): string[] {
  if (noPackages) return ['[^.]'];
  const foreign = Object.entries(packageOwners).filter(
    ([, owners]) => ![owners].flat().some((owner) => isWithin(folder, owner)),
  );
  return [
    ...foreign.map(([names]) => `(${names})(/|$)`),
    // Only the server and zones with `mayImportNode` may import Node's modules.
    ...(folder.startsWith('server') || mayImportNode ? [] : ['node:']),
  ];
}

/** A test of one side may not import the other side, and only tests of client/storage may import RxDB. */
const testOverrides: LintOverride[] = [
  testOverride({ files: 'client/**/*.test.{ts,tsx}', excludeFiles: ['client/storage/**'], forbiddenSides: 'server' }),
  testOverride({ files: 'client/storage/**/*.test.ts', forbiddenSides: 'server', mayUseRxdb: true }),
  testOverride({ files: 'server/**/*.test.ts', forbiddenSides: 'client' }),
  testOverride({ files: 'shared/**/*.test.ts', forbiddenSides: 'client|server|test' }),
];

interface TestOverrideOptions {
  files: string;
  excludeFiles?: string[];
  /** The folders that these tests may not import, separated by `|`. */
  forbiddenSides: string;
  mayUseRxdb?: true;
}

function testOverride({ files, excludeFiles = [], forbiddenSides, mayUseRxdb }: TestOverrideOptions): LintOverride {
  const patterns: ImportPattern[] = [
    { regex: `(^|/)(${forbiddenSides})/`, message: 'client and server never import each other' },
  ];
  if (!mayUseRxdb) patterns.push({ regex: '^(rxdb|dexie)(/|$)', message: 'only client/storage imports RxDB' });
  return { files: [files], excludeFiles, patterns };
}
