/**
 * Decides whether a statement can run on a database that is sharded by account. PostgreSQL's own parser reads the
 * statement, scope by scope. In each scope (a SELECT, INSERT, UPDATE or DELETE, wherever it stands in the statement)
 * `key = $n` must pin each table to one shard, and the whole statement to the same shard.
 */
import { insertedParameters } from './inserted-parameters.ts';
import {
  childrenOf,
  conditionsOf,
  nameOf,
  parseStatements,
  relationsOf,
  type Node,
  type Relation,
} from './sql-tree.ts';
import { writeProblems } from './write-lint.ts';

/** The shard key of each table; null for a table that is copied to each machine. */
export type ShardKeys = ReadonlyMap<string, string | null>;

/** Lists why the statement cannot run on a sharded database; empty if it can. */
export async function shardingProblems(text: string, keys: ShardKeys): Promise<string[]> {
  const walk: LintState = { keys, problems: [], pins: new Set() };
  for (const statement of await parseStatements(text)) visit(statement, new Set(), walk);
  if (walk.pins.size > 1) walk.problems.push(`is pinned to more than one shard: ${[...walk.pins].join(', ')}`);
  return walk.problems;
}

interface LintState {
  keys: ShardKeys;
  problems: string[];
  /** Conditions such as `account_id = $1`. */
  pins: Set<string>;
}

const scopes = new Set(['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt']);
/** Statements that touch no row of a table. */
const rowlessStatements = new Set(['TransactionStmt', 'ListenStmt']);

function visit({ kind, fields }: Node, outer: ReadonlySet<string>, walk: LintState): void {
  let named = outer;
  if (scopes.has(kind)) {
    const ctes = (fields['withClause'] as { ctes?: Record<string, { ctename: string }>[] } | undefined)?.ctes ?? [];
    const names = ctes.flatMap((cte) => Object.values(cte).map(({ ctename }) => ctename));
    for (const name of names) if (walk.keys.has(name)) walk.problems.push(`${name}: a CTE hides the table`);
    named = new Set([...outer, ...names]);
    checkScope({ kind, fields }, named, walk);
    walk.problems.push(...writeProblems({ kind, fields }));
  } else if (kind.endsWith('Stmt') && !rowlessStatements.has(kind)) {
    walk.problems.push(`${kind}: not understood, so not allowed`);
  }
  for (const child of childrenOf(fields)) visit(child, named, walk);
}

function checkScope(scope: Node, ctes: ReadonlySet<string>, walk: LintState): void {
  const { fields } = scope;
  const target = fields['relation'] as Relation | undefined;
  const read = [fields['fromClause'], fields['usingClause']].flatMap(relationsOf);
  const tables = [...read, ...(target && scope.kind !== 'InsertStmt' ? [target] : [])].filter(
    ({ relname, schemaname }) => schemaname !== undefined || !ctes.has(relname),
  );
  const pinned = conditionsOf(fields);
  for (const table of tables) {
    const key = shardKeyOf(table, walk);
    if (key === null) continue;
    const alias = table.alias?.aliasname ?? table.relname;
    const pins = pinned.filter(
      ({ column, qualifier }) => column === key && (qualifier === alias || (!qualifier && tables.length === 1)),
    );
    if (pins.length === 0) walk.problems.push(`${table.relname}: no ${key} = $n`);
    for (const { parameter } of pins) walk.pins.add(`${key} = $${parameter}`);
  }
  if (scope.kind === 'InsertStmt' && target) checkInsert(fields, target, walk);
  if (scope.kind === 'UpdateStmt' && target) checkKeyUnchanged(fields['targetList'], target, walk);
}

function checkInsert(fields: Node['fields'], target: Relation, walk: LintState): void {
  const key = shardKeyOf(target, walk);
  if (key === null) return;
  const columns = ((fields['cols'] ?? []) as object[]).map(nameOf);
  const position = columns.indexOf(key);
  if (position < 0) return void walk.problems.push(`${target.relname}: INSERT does not name ${key}`);
  const values = insertedParameters(fields['selectStmt'], position);
  if (values.length === 0) walk.problems.push(`${target.relname}: INSERT without values`);
  for (const parameter of values) {
    if (parameter === undefined)
      walk.problems.push(`${target.relname}: the ${key} of INSERT is no $n of VALUES or of the own row`);
    else walk.pins.add(`${key} = $${parameter}`);
  }
  const conflict = fields['onConflictClause'] as
    | { infer?: { indexElems?: object[] }; targetList?: object[] }
    | undefined;
  if (!conflict) return;
  if (nameOf(conflict.infer?.indexElems?.[0]) !== key) {
    walk.problems.push(`${target.relname}: ON CONFLICT does not begin with ${key}`);
  }
  checkKeyUnchanged(conflict.targetList, target, walk);
}

function checkKeyUnchanged(targets: unknown, { relname }: Relation, walk: LintState): void {
  const key = walk.keys.get(relname);
  for (const target of (targets ?? []) as object[]) {
    if (key && nameOf(target) === key) walk.problems.push(`${relname}: changes ${key}, and so its shard`);
  }
}

function shardKeyOf({ relname, schemaname }: Relation, { keys, problems }: LintState): string | null {
  const key = keys.get(relname);
  if (key !== undefined && schemaname === undefined) return key;
  problems.push(`${[schemaname, relname].filter(Boolean).join('.')}: no table of ours`);
  return null;
}
