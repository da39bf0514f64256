/** A route as a value: what it takes, who may call it and what it does. The app mounts them; the API document reads them. */
import type { Static, TSchema } from 'typebox';
import { bodyBytesMax, publicBodyBytesMax } from '../../shared/schema/limits.ts';
import type { RouteDocs } from '../openapi/route-docs.ts';
import { queryValidator, validator, type Validator } from '../core/validator.ts';
import type { Caller, Access } from './authenticate.ts';
import type { RefusedReply, Reply } from './reply.ts';

export interface ApiRequest<Query = unknown, Body = unknown> {
  params: Record<string, string>;
  query: Query;
  body: Body;
  /** Whom the token speaks for; `nobody` on public and operator routes. */
  caller: Caller;
  header(name: string): string | undefined;
  /** Where the request comes from: the socket's address, or what a trusted proxy says. */
  address: string;
}

interface RouteSpec<Query extends TSchema, Body extends TSchema> {
  method: 'GET' | 'POST' | 'PATCH';
  /** In Express's syntax. */
  path: string;
  access: Access;
  query?: Query;
  /** Absent for routes that take no body, or none that matters. */
  body?: Body;
  bodyBytesMax?: number;
  /** What can be refused before the body is read. */
  precheck?(header: ApiRequest['header']): RefusedReply | undefined;
  handle(request: ApiRequest<Static<Query>, Static<Body>>): Promise<Reply>;
  /** Absent for files that a page loads, which the API document leaves out. */
  docs?: RouteDocs;
}

export interface Route {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  access: Access;
  schemas: { query?: TSchema; body?: TSchema };
  checkQuery: Validator<unknown> | undefined;
  checkBody: Validator<unknown> | undefined;
  bodyBytesMax: number;
  precheck(header: ApiRequest['header']): RefusedReply | undefined;
  handle(request: ApiRequest): Promise<Reply>;
  docs: RouteDocs | undefined;
}

export function route<Query extends TSchema = TSchema, Body extends TSchema = TSchema>(
  spec: RouteSpec<Query, Body>,
): Route {
  const { method, path, access, query, body } = spec;
  return {
    method,
    path,
    access,
    schemas: { ...(query ? { query } : {}), ...(body ? { body } : {}) },
    checkQuery: query && queryValidator(query),
    checkBody: body && validator(body),
    bodyBytesMax: spec.bodyBytesMax ?? (access === 'public' ? publicBodyBytesMax : bodyBytesMax),
    precheck: spec.precheck ?? (() => undefined),
    // The pipeline calls it with what the two checks let through.
    handle: (request) => spec.handle(request as ApiRequest<Static<Query>, Static<Body>>),
    docs: spec.docs,
  };
}
