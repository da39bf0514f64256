/** The requests that a device may send sealed, by way of a carrier. The gateway answers all others with 404. */

export type CarriedKind = 'push' | 'pull' | 'photo';

/**
 * The allowed requests. `DELETE` of a tus upload is not among them, since a sealed request may arrive again weeks
 * later.
 */
const carriedRequests: readonly [kind: CarriedKind, methodAndPath: RegExp][] = [
  ['push', /^POST \/api\/v1\/sync\/push$/],
  ['pull', /^GET \/api\/v1\/sync\/pull$/],
  // This request loads runs that the first pull of a device with a scope leaves out.
  ['pull', /^GET \/api\/v1\/sync\/runs$/],
  ['photo', /^POST \/api\/v1\/photos$/],
  ['photo', /^(?:PATCH|HEAD) \/api\/v1\/photos\/[\w:%]+\/upload$/],
  ['photo', /^GET \/api\/v1\/photos\/[\w:%]+$/],
];

/** Returns the kind of a request; undefined if it may not be carried. `path` may have a query. */
export function carriedKindOf({ method, path }: { method: string; path: string }): CarriedKind | undefined {
  const methodAndPath = `${method} ${path.split('?', 1)[0]}`;
  return carriedRequests.find(([, pattern]) => pattern.test(methodAndPath))?.[0];
}
