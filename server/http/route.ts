/**
 * A route as a value: its input, its allowed callers, its handler and its documentation. The app mounts the routes, and
 * server/openapi describes the routes.
 */
import type { Static, TSchema } from 'typebox';
import { Closed } from '../../shared/schema/fields.ts';
import { bodyBytesMax, publicBodyBytesMax } from '../../shared/schema/limits.ts';
import type { RouteDocs } from '../openapi/route-docs.ts';
import { createQueryValidator, createValidator, type Validator } from '../core/validator.ts';
import type { Caller } from '../core/caller.ts';
import type { AllowedCallers } from './authenticate.ts';
import type { BriefForm } from './body/brief-form.ts';
import type { RefusedReply, Reply } from './route-reply.ts';

export interface ApiRequest<Query = unknown, Body = unknown> {
  method: string;
  params: Record<string, string>;
  query: Query;
  body: Body;
  /** The owner of the request's token: nobody on public routes, the operator on the operator's routes. */
  caller: Caller;
  header(name: string): string | undefined;
  /** The client's address, from the socket or from a trusted proxy. */
  address: string;
  /** True if the request was inside of a sealed request. It may be days old, and may arrive a second time. */
  isSealed: boolean;
}

/** A path with a GET route needs no HEAD route, since Express answers HEAD by the GET route. */
export type RouteMethod = 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE';

interface RouteSpec<Query extends TSchema, Body extends TSchema> {
  method: RouteMethod;
  /** The path in Express's syntax, such as `/maps/:id`. */
  path: string;
  access: AllowedCallers;
  /**
   * undefined if the route has no query parameters. A public GET route then ignores parameters, and other routes refuse
   * them.
   */
  query?: Query;
  /** undefined if the route ignores the body. */
  body?: Body;
  /** The media type of a body that the handler gets as unparsed bytes. */
  binaryBody?: string;
  /** True if the handler also gets an incomplete body, whose client has left. Nobody gets the handler's reply then. */
  takesBrokenBody?: boolean;
  bodyBytesMax?: number;
  /** A shorter form of the request and its reply, which a client may choose. */
  brief?: BriefForm;
  /** The headers of the response to OPTIONS, in addition to `Allow`. */
  optionsHeaders?: Record<string, string>;
  /**
   * Refuses a request by its headers before its body is read. A brief request has these headers in its body, so its
   * body is read first.
   */
  precheck?(header: ApiRequest['header']): RefusedReply | undefined;
  handle(request: ApiRequest<Static<Query>, Static<Body>>): Promise<Reply>;
  /** undefined for routes that the API document leaves out, such as the files of the reference page. */
  docs?: RouteDocs;
}

export interface Route {
  method: RouteMethod;
  path: string;
  access: AllowedCallers;
  schemas: { query?: TSchema; body?: TSchema };
  checkQuery: Validator<unknown> | undefined;
  checkBody: Validator<unknown> | undefined;
  binaryBody: string | undefined;
  takesBrokenBody: boolean;
  bodyBytesMax: number;
  brief: BriefForm | undefined;
  optionsHeaders: Record<string, string>;
  precheck(header: ApiRequest['header']): RefusedReply | undefined;
  handle(request: ApiRequest): Promise<Reply>;
  docs: RouteDocs | undefined;
}

export function route<Query extends TSchema = TSchema, Body extends TSchema = TSchema>(
  spec: RouteSpec<Query, Body>,
): Route {
  const { method, path, access, body } = spec;
  const isTolerant = access === 'public' && method === 'GET';
  const query = spec.query ?? (isTolerant ? undefined : NoParameters);
  return {
    method,
    path,
    access,
    schemas: { ...(query ? { query } : {}), ...(body ? { body } : {}) },
    checkQuery: query === NoParameters ? checkNoParameters : query && createQueryValidator(query),
    checkBody: body && createValidator(body),
    binaryBody: spec.binaryBody,
    takesBrokenBody: spec.takesBrokenBody ?? false,
    bodyBytesMax: spec.bodyBytesMax ?? (access === 'public' ? publicBodyBytesMax : bodyBytesMax),
    brief: spec.brief,
    optionsHeaders: spec.optionsHeaders ?? {},
    precheck: spec.precheck ?? (() => undefined),
    // The cast is safe, since the pipeline calls `checkQuery` and `checkBody` first.
    handle: (request) => spec.handle(request as ApiRequest<Static<Query>, Static<Body>>),
    docs: spec.docs,
  };
}

/** Makes the server refuse an unknown parameter, such as `?dry_run=true` of a deletion, instead of ignoring it. */
const NoParameters = Closed({});
const checkNoParameters = createQueryValidator(NoParameters);
