/** Finds what Citus refuses in a statement that writes to a distributed table. */
import { childrenOf, type Node } from './sql-tree.ts';

/**
 * The functions that UPDATE, DELETE and ON CONFLICT may call. Each node of Citus would run any other function on its own, so
 * the copies of a row could differ.
 */
export const immutableFunctions: ReadonlySet<string> = new Set(['array_position', 'json_array_length']);

/** Lists why Citus would refuse the UPDATE, DELETE or INSERT. Its nested statements count, too. */
export function writeProblems({ kind, fields }: Node): string[] {
  if (kind === 'UpdateStmt' || kind === 'DeleteStmt') return functionProblems(fields, kind);
  if (kind !== 'InsertStmt') return [];
  const { selectStmt, ...others } = fields;
  const { valuesLists } = (selectStmt as { SelectStmt?: { valuesLists?: unknown } } | undefined)?.SelectStmt ?? {};
  const hasSubquery = nodesOf([others, valuesLists]).some((node) => node.kind === 'SubLink');
  return [
    ...functionProblems(others['onConflictClause'], 'ON CONFLICT'),
    ...(hasSubquery ? ['INSERT: a subquery, so not allowed'] : []),
  ];
}

function functionProblems(tree: unknown, where: string): string[] {
  return nodesOf(tree).flatMap((node) => {
    if (node.kind === 'RangeFunction') return [`${where}: reads rows from a function`];
    if (node.kind === 'SQLValueFunction') return [`${where}: reads the clock or the session`];
    if (node.kind !== 'FuncCall') return [];
    const path = (node.fields['funcname'] ?? []) as { String: { sval: string } }[];
    const name = path.at(-1)?.String.sval ?? '';
    return immutableFunctions.has(name) ? [] : [`${where}: calls ${name}, which is not known to be immutable`];
  });
}

function nodesOf(tree: unknown): Node[] {
  return childrenOf(tree).flatMap((node) => [node, ...nodesOf(node.fields)]);
}
