/** The requests that a device may send sealed, by way of a carrier. The server answers all others with 404. */

export type CarriedKind = 'push' | 'pull' | 'photo';

/** One that ends an upload is none of them: a sealed request may come again weeks later. */
const carriedRequests: readonly [kind: CarriedKind, methodAndPath: RegExp][] = [
  ['push', /^POST \/api\/v1\/sync\/push$/],
  ['pull', /^GET \/api\/v1\/sync\/pull$/],
  // The runs that a first pull of a device with a scope leaves out.
  ['pull', /^GET \/api\/v1\/sync\/runs$/],
  ['photo', /^POST \/api\/v1\/photos$/],
  ['photo', /^(?:PATCH|HEAD) \/api\/v1\/photos\/[\w:%]+\/upload$/],
  ['photo', /^GET \/api\/v1\/photos\/[\w:%]+$/],
];

/** `path` may have a query. Returns undefined for a request that is not carried. */
export function carriedKindOf({ method, path }: { method: string; path: string }): CarriedKind | undefined {
  const methodAndPath = `${method} ${path.split('?', 1)[0]}`;
  return carriedRequests.find(([, pattern]) => pattern.test(methodAndPath))?.[0];
}
