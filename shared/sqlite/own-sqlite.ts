/** The SQLite of Node, which servers and devices use. The package has the same interface, for a Node without it. */
export type Sqlite = typeof import('@photostructure/sqlite');

/**
 * Loads Node's own SQLite. Node 20, and Node 22 before 22.13, have none without a flag. Node 22 warns on stderr that its SQLite is
 * experimental. That warning is left out, since a user of Gemba can do nothing about it.
 */
export function loadNodeSqlite(): Sqlite | undefined {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return process.getBuiltinModule('node:sqlite') as unknown as Sqlite | undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}
