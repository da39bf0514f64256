/** Finds the problems that an operation can reply with. Most problems follow from the input that the route takes. */
import type { Route } from '../http/route.ts';
import type { ProblemCode } from '../../shared/protocol/problem.ts';
import { allProblemKinds } from '../../shared/protocol/problems/all-problems.ts';
import type { RouteDocs } from './route-docs.ts';

/** Returns the codes of each status, in ascending order of the statuses. */
export function problemCodesByStatus(route: Route, docs: RouteDocs): Map<number, ProblemCode[]> {
  const byStatus = new Map<number, ProblemCode[]>();
  const order = Object.keys(allProblemKinds);
  const codes = [...new Set(problemCodesOf(route, docs))].toSorted((a, b) => order.indexOf(a) - order.indexOf(b));
  for (const code of codes) {
    const status = statusOf(code, route);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return new Map([...byStatus].toSorted(([a], [b]) => a - b));
}

function problemCodesOf({ access, path, schemas, binaryBody }: Route, docs: RouteDocs): ProblemCode[] {
  return [
    ...(access === 'public' ? [] : (['unauthorized'] as const)),
    ...(Array.isArray(access) ? (['forbidden'] as const) : []),
    ...(isSyncPath(path) ? (['protocol_missing', 'protocol_too_old'] as const) : []),
    ...(schemas.query ? (['validation_failed'] as const) : []),
    ...(schemas.body ? bodyProblemCodes : []),
    ...(binaryBody === undefined ? [] : (['payload_too_large', 'unsupported_media_type'] as const)),
    ...notFoundCodesByPath.flatMap(([part, code]) => (path.includes(part) ? [code] : [])),
    ...(docs.idempotency === 'unneeded' ? (['validation_failed'] as const) : []),
    ...(docs.idempotency === 'key' ? (['validation_failed', 'idempotency_key_mismatch'] as const) : []),
    ...(docs.conditionalWrite ? (['precondition_failed'] as const) : []),
    ...(docs.codes ?? []),
    'rate_limited',
    'internal_error',
    'unavailable',
  ];
}

export const isSyncPath = (path: string): boolean => path.startsWith('/api/v1/sync/');

const bodyProblemCodes = [
  'malformed_json',
  'payload_too_large',
  'unsupported_media_type',
  'validation_failed',
] as const;

const notFoundCodesByPath = [
  ['/maps/:id', 'map_not_found'],
  ['/stages/:stage_id', 'stage_not_found'],
  ['/runs/:run_id', 'run_not_found'],
] as const;

/** `map_deleted` is the only code with two statuses: 404 when a map is read, and 409 when a map is changed. */
function statusOf(code: ProblemCode, { method }: Route): number {
  return code === 'map_deleted' && method === 'GET' ? 404 : allProblemKinds[code].status;
}
