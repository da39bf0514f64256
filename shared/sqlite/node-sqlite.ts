/**
 * The interface of Node's SQLite, used by servers and devices. The package `@photostructure/sqlite` has the same
 * interface, for a Node without SQLite.
 */
export type Sqlite = typeof import('@photostructure/sqlite');

/**
 * Loads Node's own SQLite. Returns undefined if Node has no SQLite, or only behind a flag: Node 20, and Node 22 before
 * 22.13. Suppresses Node 22's warning that its SQLite is experimental, since a user of Gemba can do nothing about the
 * warning.
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
