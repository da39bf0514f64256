/** Finds the parameter that an INSERT writes as its shard key. */
import { conditionsOf, parameterOf, relationsOf } from './sql-tree.ts';

interface Select {
  larg?: unknown;
  rarg?: unknown;
  valuesLists?: { List: { items: unknown[] } }[];
  targetList?: { ResTarget: { val: unknown } }[];
  fromClause?: unknown[];
  whereClause?: unknown;
}

/**
 * Returns the number of the parameter at this position of each inserted row; undefined for any other value. VALUES may name
 * `$n`. SELECT must read the key from a row that `key = $n` pins: Citus collects the rows of `SELECT $1, ...` on the
 * coordinator before it writes them.
 */
export function insertedParameters(source: unknown, position: number): (number | undefined)[] {
  const select = selectOf(source);
  if (select.larg) return [select.larg, select.rarg].flatMap((arm) => insertedParameters(arm, position));
  const rows = select.valuesLists ?? [];
  if (rows.length > 0) return rows.map(({ List }) => parameterOf(List.items[position]));
  const target = select.targetList?.[position];
  return select.targetList ? [ownRowParameter(select, target?.ResTarget.val)] : [];
}

/** Resolves `alias.key` where FROM has `(SELECT key FROM table WHERE key = $n) AS alias`. */
function ownRowParameter(select: Select, value: unknown): number | undefined {
  const [alias, column] = columnPathOf(value);
  const sources = (select.fromClause ?? []) as {
    RangeSubselect?: { subquery: unknown; alias: { aliasname: string } };
  }[];
  const own = sources.find(({ RangeSubselect }) => RangeSubselect?.alias.aliasname === alias)?.RangeSubselect;
  if (!own || column === undefined) return undefined;
  const row = selectOf(own.subquery);
  const [key] = row.targetList ?? [];
  const isOneTable = relationsOf(row.fromClause).length === 1 && row.fromClause?.length === 1;
  if (!isOneTable || columnPathOf(key?.ResTarget.val).at(-1) !== column) return undefined;
  return conditionsOf({ ...row }).find((condition) => condition.column === column)?.parameter;
}

function selectOf(source: unknown): Select {
  return ((source as { SelectStmt?: object } | undefined)?.SelectStmt ?? source ?? {}) as Select;
}

function columnPathOf(value: unknown): (string | undefined)[] {
  const { ColumnRef } = (value ?? {}) as { ColumnRef?: { fields: { String?: { sval: string } }[] } };
  return (ColumnRef?.fields ?? []).map(({ String }) => String?.sval);
}
