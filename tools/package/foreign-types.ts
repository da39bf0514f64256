/** Holds the public types of an entry free of those of other packages, which its user need not have. */

/** Marks the type of a schema that no module exports. */
export const unexported = 'UNEXPORTED';

const allowedImports = new Set(['rxjs', 'gemba']);
/** The packages of an entry's peer, which its user has. */
const peerImports: Record<string, string[]> = { react: ['react'], rxdb: ['rxdb', 'rxdb/plugins/replication'] };

/** Matches the module of `from 'a'`, `import 'a'`, `import('a')`, `require('a')` and `reference types="a"`. */
const moduleName = /\b(?:from |import |import\(|require\(|reference types=)(['"])([^'"\n]+)\1/g;

/** Returns the types as they are. Throws if they need those of another package, or a schema that no module exports. */
export function checkedTypes(entry: string, text: string): string {
  const foreign = [...text.matchAll(moduleName)]
    .map(([, , name]) => name!)
    .filter((name) => !allowedImports.has(name) && !peerImports[entry]?.includes(name));
  const unnamed = [...text.matchAll(new RegExp(`${unexported}: '(\\w+)'`, 'g'))].map(([, name]) => name!);
  if (foreign.length > 0) throw new Error(`The types of ${entry} need ${foreign.join(', ')}`);
  if (unnamed.length > 0) throw new Error(`The types of ${entry} need the schemas ${unnamed.join(', ')}: export them`);
  return text;
}
