/** Checks the declared names of the sources: none contains a word that the glossary of ARCHITECTURE.md avoids. */
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseSync, Visitor } from 'vite';

/** The words in `code` in the last column of the glossary. */
export function avoidedWords(architecture: string): string[] {
  const [, table = ''] = /^## Words$([\s\S]*?)^## /m.exec(architecture) ?? [];
  return table
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .flatMap((line) => [...(line.split('|').at(-2) ?? '').matchAll(/`(\w+)`/g)].map(([, word]) => word ?? ''));
}

/** Lists declared names with an avoided word as `name: word`. */
export function avoidedNames(path: string, source: string, avoided: string[]): string[] {
  return [...new Set(declaredNames(path, source))].flatMap((name) => {
    const word = wordsOf(name).find((part) => avoided.includes(part));
    return word ? [`${name}: ${word}`] : [];
  });
}

/** Splits `renewedIds` into renewed and ids. */
const wordsOf = (name: string): string[] => name.split(/(?=[A-Z])|[_\d$]+/).map((word) => word.toLowerCase());

function declaredNames(path: string, source: string): string[] {
  const names: string[] = [];
  const take = (node: { type: string; name?: unknown } | null | undefined) => {
    if (node?.type === 'Identifier' && typeof node.name === 'string') names.push(node.name);
  };
  new Visitor({
    VariableDeclarator: ({ id }) => take(id),
    FunctionDeclaration: ({ id }) => take(id),
    ClassDeclaration: ({ id }) => take(id),
    TSInterfaceDeclaration: ({ id }) => take(id),
    TSTypeAliasDeclaration: ({ id }) => take(id),
    MethodDefinition: ({ key }) => take(key),
  }).visit(parseSync(path, source).program);
  return names;
}

export async function glossaryProblems(root: string): Promise<string[]> {
  const avoided = avoidedWords(await readFile(join(root, 'ARCHITECTURE.md'), 'utf8'));
  const folders = ['client', 'server', 'shared'];
  const found = await Promise.all(folders.map((folder) => readdir(join(root, folder), { recursive: true })));
  const paths = found.flatMap((names, index) => names.map((name) => join(folders[index] ?? '', name)));
  const sources = paths.filter((path) => /\.tsx?$/.test(path) && !path.includes('generated')).toSorted();
  const problems = await Promise.all(
    sources.map(async (path) =>
      avoidedNames(path, await readFile(join(root, path), 'utf8'), avoided).map((problem) => `${path}: ${problem}`),
    ),
  );
  return problems.flat();
}

if (process.argv[1] === import.meta.filename) {
  const problems = await glossaryProblems(resolve(import.meta.dirname, '../../..'));
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
