/** Reads the syntax tree that PostgreSQL's parser makes of a statement. */
import { parse } from 'libpg-query';

export interface Node {
  /** The kind of the node, such as `SelectStmt`. */
  kind: string;
  fields: Record<string, unknown>;
}

export interface Relation {
  relname: string;
  schemaname?: string;
  alias?: { aliasname: string };
}

/** A condition `qualifier.column = $parameter` that must hold for every row. */
export interface Condition {
  column: string;
  qualifier: string | undefined;
  parameter: number;
}

export async function parseStatements(text: string): Promise<Node[]> {
  const { stmts = [] } = await parse(text);
  return stmts.flatMap(({ stmt }) => childrenOf(stmt));
}

/** Returns the child nodes from all fields. The tree gives the two sides of a UNION no kind, so these are handled apart. */
export function childrenOf(value: unknown): Node[] {
  if (Array.isArray(value)) return value.flatMap(childrenOf);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (name === 'larg' || name === 'rarg') {
      const [wrapped] = childrenOf(inner);
      const isArm = typeof inner === 'object' && inner !== null && 'op' in inner;
      return isArm ? [{ kind: 'SelectStmt', fields: inner as Node['fields'] }] : wrapped ? [wrapped] : [];
    }
    if (/^[A-Z]/.test(name)) return [{ kind: name, fields: inner as Node['fields'] }];
    return childrenOf(inner);
  });
}

/** The tables that FROM or USING names directly, without those of subselects. */
export function relationsOf(value: unknown): Relation[] {
  return itemsOf(value).flatMap((item) => {
    if (item.RangeVar) return [item.RangeVar];
    return item.JoinExpr ? [item.JoinExpr.larg, item.JoinExpr.rarg].flatMap(relationsOf) : [];
  });
}

/** The conditions of WHERE and of each join's ON. A condition below OR or NOT need not hold, so it is left out. */
export function conditionsOf(scope: Node['fields']): Condition[] {
  const joins = [scope['fromClause'], scope['usingClause']].flatMap(joinConditionsOf);
  return [...equalitiesOf(scope['whereClause']), ...joins];
}

/** The name of a target, a column of INSERT or an element of an index. */
export function nameOf(node: object | undefined): string | undefined {
  const [inner] = Object.values(node ?? {}) as { name?: string }[];
  return inner?.name;
}

interface FromItem {
  RangeVar?: Relation;
  JoinExpr?: { jointype: string; larg: unknown; rarg: unknown; quals?: unknown };
}

const itemsOf = (value: unknown) => (value === undefined ? [] : Array.isArray(value) ? value : [value]) as FromItem[];

function joinConditionsOf(value: unknown): Condition[] {
  return itemsOf(value).flatMap(({ JoinExpr: join }) => {
    if (!join) return [];
    const { jointype, larg, rarg, quals } = join;
    // An outer join keeps the rows of its outer side even where ON is false.
    const inner = { JOIN_INNER: [larg, rarg], JOIN_LEFT: [rarg], JOIN_RIGHT: [larg] }[jointype] ?? [];
    const held = new Set(inner.flatMap(relationsOf).map(({ relname, alias }) => alias?.aliasname ?? relname));
    const own = equalitiesOf(quals).filter(({ qualifier }) => qualifier !== undefined && held.has(qualifier));
    return [...own, ...joinConditionsOf(larg), ...joinConditionsOf(rarg)];
  });
}

interface Expression {
  BoolExpr?: { boolop: string; args: unknown[] };
  A_Expr?: { kind: string; name: { String: { sval: string } }[]; lexpr: unknown; rexpr: unknown };
  ColumnRef?: { fields: { String?: { sval: string } }[] };
}

function equalitiesOf(value: unknown): Condition[] {
  const { BoolExpr: bool, A_Expr: expression } = (value ?? {}) as Expression;
  if (bool?.boolop === 'AND_EXPR') return bool.args.flatMap(equalitiesOf);
  if (expression?.kind !== 'AEXPR_OP' || expression.name.at(-1)?.String.sval !== '=') return [];
  const sides = [expression.lexpr, expression.rexpr];
  const path = sides.flatMap((side) => (side as Expression).ColumnRef?.fields ?? []).map(({ String }) => String?.sval);
  const parameter = sides.map(parameterOf).find((number) => number !== undefined);
  const [column, qualifier] = path.toReversed();
  return column === undefined || parameter === undefined ? [] : [{ column, qualifier, parameter }];
}

/** The number of the parameter, also behind a cast; undefined for any other value. */
export function parameterOf(value: unknown): number | undefined {
  const { ParamRef, TypeCast } = (value ?? {}) as { ParamRef?: { number: number }; TypeCast?: { arg: unknown } };
  return TypeCast ? parameterOf(TypeCast.arg) : ParamRef?.number;
}
