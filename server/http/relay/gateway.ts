/**
 * The gateway of Oblivious HTTP (RFC 9458): opens a sealed request, has it answered like any other, and seals the answer.
 *
 *   carrier's token, quota (pipeline.ts) → open → Binary HTTP → push or pull, by the whole pipeline → seal → 200
 *     │ key unknown: 422   │ changed or malformed: 400          │ anything else: 404 inside
 */
import { problemOf } from '../../../shared/protocol/problem.ts';
import { toBase64url } from '../../../shared/relay/base64url.ts';
import {
  decodeRequest,
  encodeResponse,
  type BinaryRequest,
  type BinaryResponse,
} from '../../../shared/relay/binary-http.ts';
import { utf8, type Bytes } from '../../../shared/relay/byte-reader.ts';
import { relayKeysHeader } from '../../../shared/relay/media-types.ts';
import { randomUuid } from '../../core/world.ts';
import type { RefusedReply } from '../route-reply.ts';
import type { Services } from '../services.ts';

type GatewayServices = Pick<Services, 'serverKeys' | 'innerRequests' | 'world'>;

/** The requests that may be inside, as method and path. */
const carriedRequests: ReadonlySet<string> = new Set(['POST /api/v1/sync/push', 'GET /api/v1/sync/pull']);

/** Resolves to the sealed answer. `address` is that of the carrier. */
export async function answerSealedRequest(
  { serverKeys, innerRequests, world }: GatewayServices,
  { sealed, address }: { sealed: Bytes; address: string },
): Promise<{ ok: true; sealed: Bytes } | RefusedReply> {
  const opened = await serverKeys.open(sealed);
  if (opened === 'unknown_key') return unknownKeyRefusal;
  const request = opened === 'malformed' ? undefined : decodeRequest(opened.request);
  if (opened === 'malformed' || !request) return malformedRefusal;
  const response = isCarried(request)
    ? await innerRequests.send(request, address)
    : noSuchRoute(request, randomUuid(world));
  const newerKeys = opened.isNewestKey ? undefined : toBase64url(await serverKeys.publicList());
  const fields =
    newerKeys === undefined ? response.fields : [...response.fields, [relayKeysHeader, newerKeys] as const];
  return { ok: true, sealed: await opened.sealAnswer(encodeResponse({ ...response, fields })) };
}

function isCarried({ method, path }: BinaryRequest): boolean {
  const [pathname] = path.split('?');
  return carriedRequests.has(`${method} ${pathname}`);
}

function noSuchRoute({ method }: BinaryRequest, request_id: string): BinaryResponse {
  const detail = `A sealed request is a push or a pull, and no other ${method}.`;
  const body = { ...problemOf({ code: 'not_found', detail }), request_id };
  return {
    status: body.status,
    fields: [['content-type', 'application/problem+json']],
    content: utf8(JSON.stringify(body)),
  };
}

const unknownKeyRefusal: RefusedReply = {
  ok: false,
  error: {
    code: 'relay_key_unknown',
    detail: 'The server does not have the key to which this request is sealed. Its device needs the present keys.',
  },
};

const malformedRefusal: RefusedReply = {
  ok: false,
  error: { code: 'relay_malformed', detail: 'This is no sealed request of Binary HTTP, or it was changed on the way.' },
};
