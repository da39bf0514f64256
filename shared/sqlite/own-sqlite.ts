/** The SQLite of Node, which servers and devices use. The package has the same interface, for a Node without it. */
export type Sqlite = typeof import('@photostructure/sqlite');

/**
 * Loads Node's own SQLite. Node 20, and Node 22 before 22.13, have none without a flag. Node 22 and 24 warn on stderr that
 * theirs is experimental, about which a user of Gemba can do nothing, so that this warning is left out.
 */
export function loadOwnSqlite(): Sqlite | undefined {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return process.getBuiltinModule('node:sqlite') as unknown as Sqlite | undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}
