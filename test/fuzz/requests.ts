/** Requests for each operation of the document: valid, nearly valid and hostile. */
import fc from 'fast-check';
import type { ApiDocument } from '../../server/openapi/document.ts';
import { placesOf, resolved, type Parameter, type OperationAddress } from '../openapi/shapes.ts';
import type { Actor } from './actor.ts';
import { breakValueAt, placesInValue } from './break-one.ts';
import { hostileBody } from './hostile-body.ts';
import { hostileBytes } from './hostile-bytes.ts';
import { hostileRequest } from './hostile-request.ts';
import { requestBytes, type FuzzRequest, type RequestParts } from './request.ts';
import { sharedKey, valueOf, withoutLoneSurrogates, type Shape } from './values.ts';

export interface Cast {
  actors: Actor[];
  operator: Actor;
}

/** Ids of another account's records, for this account to try. */
type ForeignIds = (actor: Actor, n: number) => string[];

export function requestsOf(document: ApiDocument, { actors, operator }: Cast): fc.Arbitrary<FuzzRequest> {
  const foreign: ForeignIds = (actor, n) =>
    actors.filter((other) => other !== actor).map((other) => other.maps.pick(n, other.firstKeyId));
  const choices = placesOf(document).flatMap((place) => {
    const isOperators = Object.keys(place.operation.security[0] ?? {}).includes('operator');
    const weight = place.path.startsWith('/api/v1/') && !place.path.endsWith('.json') ? 6 : 1;
    return (isOperators ? [operator] : actors).map((actor) => {
      return { weight, arbitrary: requestOf(document, { place, actor, foreign }) };
    });
  });
  return fc.oneof(...choices);
}

interface Fields {
  [name: string]: unknown;
}

interface RequestOptions {
  place: OperationAddress;
  actor: Actor;
  foreign: ForeignIds;
}

/** The parts of a valid request before they become text. */
interface Draft {
  ids: Record<string, unknown>;
  query: Record<string, unknown>;
  headers: Record<string, string>;
  body: unknown;
}

function requestOf(document: ApiDocument, setting: RequestOptions): fc.Arbitrary<FuzzRequest> {
  const { place, actor } = setting;
  const shape = place.operation.requestBody?.content['application/json']?.schema as Shape | undefined;
  const as = (kind: FuzzRequest['kind'], parts: RequestParts, more: Partial<FuzzRequest> = {}): FuzzRequest => {
    const isHead = parts.method === 'HEAD';
    const usual = { kind, actor, place, isHead, isRouted: true, isFramed: true, isTorn: false };
    return { ...usual, bytes: more.bytes ?? requestBytes(parts), ...more };
  };
  const draft = draftOf(document, setting, shape);
  const parts = draft.map((made) => partsOf(place, made));
  const valid = parts.map((made) => as('valid', made));
  const nearly = fc.tuple(draft, fc.nat(), fc.nat()).map(([made, which, how]) => {
    const { ids, query, body } = made;
    const inParameters = [ids, query].flatMap((holder) =>
      Object.keys(holder).map((key) => ({ holder, key, shape: parameterShape(document, place, key) })),
    );
    const spots = [...inParameters, ...(shape ? placesInValue(document, shape, body) : [])];
    const spot = spots[which % spots.length];
    if (spot) breakValueAt(spot, how, setting.foreign(actor, which));
    return as('nearly valid', partsOf(place, made));
  });
  const twisted = parts.chain((made) =>
    hostileRequest(made).map((odd) =>
      as('hostile request', withReadableRefusal(odd.parts), { isRouted: odd.isRouted, isFramed: false }),
    ),
  );
  // The refusal of bytes that are no request has a body, so a reader could not tell where that of a HEAD ends.
  const withBody = parts.map((made) => ({ ...made, method: made.method === 'HEAD' ? 'GET' : made.method }));
  const torn = withBody.chain((made) =>
    hostileBytes(made).map((bytes) =>
      as('hostile bytes', made, { bytes, isHead: false, isRouted: false, isFramed: false, isTorn: true }),
    ),
  );
  const bodied = fc.tuple(draft, fc.nat()).chain(([made, which]) => {
    const plain = partsOf(place, made);
    const withValue = (placeholder: string) => {
      const spots = shape ? placesInValue(document, shape, made.body) : [];
      const spot = spots[which % spots.length];
      if (spot) spot.holder[spot.key] = placeholder;
      return JSON.stringify(made.body ?? {});
    };
    const bodies = hostileBody(plain.body?.toString() ?? '{}', withValue);
    return bodies.map(({ bytes, headers }) => {
      const sent = { ...plain, headers: { ...plain.headers, ...headers }, body: bytes };
      return as('hostile body', sent, { isFramed: bytes.length < 100_000 });
    });
  });
  return fc.oneof(
    { weight: 8, arbitrary: valid },
    { weight: 6, arbitrary: nearly },
    { weight: shape ? 5 : 1, arbitrary: bodied },
    { weight: 3, arbitrary: twisted },
    { weight: 2, arbitrary: torn },
  );
}

function parametersOf(document: ApiDocument, place: OperationAddress): Parameter[] {
  return (place.operation.parameters ?? []).map((parameter) => resolved<Parameter>(document, parameter));
}

const parameterShape = (document: ApiDocument, place: OperationAddress, name: string): Shape =>
  parametersOf(document, place).find((parameter) => parameter.name === name)?.schema ?? {};

function draftOf(
  document: ApiDocument,
  { place, actor }: RequestOptions,
  shape: Shape | undefined,
): fc.Arbitrary<Draft> {
  const parameters = parametersOf(document, place);
  const record = (where: Parameter['in'], requiredKeys: string[]) => {
    const named = parameters.filter((parameter) => parameter.in === where);
    const model = named.map(({ name, schema }) => [name, valueOf(document, actor, schema as Shape, name)] as const);
    return fc.record(Object.fromEntries(model), { requiredKeys }) as fc.Arbitrary<Record<string, unknown>>;
  };
  const headers = fc.record(
    {
      authorization: fc.oneof(
        { weight: 12, arbitrary: fc.constant(actor.token) },
        { weight: 1, arbitrary: fc.nat().map((n) => actor.tokens.pick(n, 'none')) },
      ),
      'If-Match': fc.nat().map((n) => actor.etags.pick(n, '"none"')),
      'If-None-Match': fc.nat().map((n) => actor.etags.pick(n, '*')),
      'Idempotency-Key': sharedKey,
    },
    { requiredKeys: ['authorization'] },
  );
  const body = shape ? valueOf(document, actor, shape) : fc.constant(undefined);
  const drawn = fc.tuple(fc.nat(), record('query', []), headers, body);
  return drawn.map(([n, query, { authorization, ...conditional }, value]) => {
    const isSync = parameters.some(({ name }) => name === 'Gemba-Protocol');
    const made: Draft = {
      ids: idsOf(place, actor, n),
      query,
      headers: {
        ...(authorization ? { Authorization: `Bearer ${authorization}` } : {}),
        ...(isSync ? { 'Gemba-Protocol': '1' } : {}),
        ...Object.fromEntries(Object.entries(conditional).filter(([name]) => shouldSend(parameters, name, n))),
      },
      body: value,
    };
    numberInOrder(actor, made.body);
    // The recording sessions in body and header must be equal, so most requests have only one of them.
    if (n % 5 > 0 && (value as Fields | undefined)?.['recording_session_id']) delete made.headers['Idempotency-Key'];
    // A valid order needs all stages of the map and no others.
    if (place.operation.operationId === 'reorderStages') {
      const { mapId, stageIds } = actor.orders.pick(n, { mapId: String(made.ids['id']), stageIds: [1] });
      made.ids = { id: mapId };
      made.body = { stage_ids: n % 2 ? stageIds.toReversed() : [...stageIds] };
    }
    return made;
  });
}

/** Conditions are sent rarely, since most known ETags are old. */
const shouldSend = (parameters: Parameter[], name: string, n: number): boolean =>
  parameters.some((parameter) => parameter.name === name) && (name !== 'If-Match' || n % 4 === 0);

/** Numbers the steps in order, and the mutations of a push from the last number that was taken. */
function numberInOrder(actor: Actor, body: unknown): void {
  const { client_id, mutations } = (body ?? {}) as { client_id?: string; mutations?: { seq: number; args: object }[] };
  for (const { args } of mutations ?? []) numberInOrder(actor, args);
  const { steps = [] } = (body ?? {}) as { steps?: { order: number }[] };
  steps.forEach((step, index) => (step.order = index + 1));
  const client = actor.clients.find(({ id }) => id === client_id);
  if (!client || !mutations) return;
  (body as { acked_seq: number }).acked_seq = Math.max(0, client.lastSeq - 3);
  mutations.forEach((mutation, index) => (mutation.seq = client.lastSeq + 1 + index));
}

function idsOf({ path }: OperationAddress, actor: Actor, n: number): Record<string, unknown> {
  const nobody = '00000000-0000-4000-8000-000000000000';
  const { mapId, stageId } = actor.stages.pick(n, { mapId: nobody, stageId: 1 });
  return {
    ...(path.includes('/maps/{id}') ? { id: path.includes('{stage_id}') ? mapId : actor.maps.pick(n, nobody) } : {}),
    ...(path.includes('{stage_id}') ? { stage_id: stageId } : {}),
    ...(path.includes('{run_id}') ? { run_id: actor.runs.pick(n, 1) } : {}),
    ...(path.includes('{device_id}') ? { device_id: actor.devices.pick(n, nobody) } : {}),
    ...(path.includes('/keys/{id}') ? { id: actor.keys.pick(n, nobody) } : {}),
    ...(path.includes('/accounts/{id}') ? { id: actor.accounts.pick(n, nobody) } : {}),
  };
}

function partsOf({ method, path }: OperationAddress, { ids, query, headers, body }: Draft): RequestParts {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(textOf(ids[name])));
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(textOf(value))}`);
  return {
    method,
    target: filled + (pairs.length > 0 ? `?${pairs.join('&')}` : ''),
    headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
  };
}

const textOf = (value: unknown): string =>
  withoutLoneSurrogates(typeof value === 'object' ? JSON.stringify(value) : String(value));

/** A server refuses a target that is not ASCII before it knows the method, so that the refusal of a HEAD would have a body. */
function withReadableRefusal(parts: RequestParts): RequestParts {
  return parts.method === 'HEAD' && !/^[\x20-\x7e]*$/.test(parts.target) ? { ...parts, method: 'GET' } : parts;
}
