/**
 * The gateway of Oblivious HTTP (RFC 9458): opens a sealed request, sends it through the pipeline, and seals the
 * response. The statuses 408, 429 and 5xx, except 501, are temporary failures.
 *
 *   carrier's token, quota (pipeline.ts) → open → Binary HTTP → push, pull or photo, by the whole pipeline → seal → 200
 *     │ key unknown: 422   │ changed or malformed: 400          │ other request: sealed 404  │ temporary failure, not for a photo: 503
 */
import type { Refusal } from '../../../shared/protocol/problem.ts';
import { problemOfAnyCode } from '../../../shared/protocol/problems/all-problems.ts';
import { carriedKindOf } from '../../../shared/relay/carried-requests.ts';
import { toBase64url } from '../../../shared/relay/base64url.ts';
import { decodeRequest, encodeResponse, type BinaryRequest } from '../../../shared/relay/binary-http.ts';
import { utf8, type Bytes } from '../../../shared/relay/byte-reader.ts';
import { relayKeysHeader } from '../../../shared/relay/media-types.ts';
import { receiptOf } from '../../../shared/relay/receipt.ts';
import { randomUuid } from '../../core/world.ts';
import type { RefusedReply } from '../route-reply.ts';
import type { Services } from '../services.ts';
import { headerBytesOf, innerHeaderBytesMax } from './inner-header-limit.ts';
import type { InnerResponse } from './inner-requests.ts';

type GatewayServices = Pick<Services, 'serverKeys' | 'innerRequests' | 'world'>;

/**
 * Resolves to the sealed answer. Adds a receipt if the sealed request is a push and the answer has a result for each of
 * its mutations. `address` is the network address of the carrier.
 */
export async function answerSealedRequest(
  { serverKeys, innerRequests, world }: GatewayServices,
  { sealed, address }: { sealed: Bytes; address: string },
): Promise<{ ok: true; sealed: Bytes; receipt?: string } | RefusedReply> {
  const opened = await serverKeys.open(sealed);
  if (opened === 'unknown_key') return unknownKeyRefusal;
  const request = opened === 'malformed' ? undefined : decodeRequest(opened.request);
  if (opened === 'malformed' || !request) return malformedRefusal;
  const refusal = innerRequestRefusal(request);
  const inner = refusal ? problemResponse(refusal, randomUuid(world)) : await innerRequests.send(request, address);
  const { receiptFacts, ...response } = inner;
  // A carrier delivers a request again after an unsealed refusal, and never after a sealed refusal. A device that asks
  // for a photo is connected and must know how long to wait, so it gets a sealed refusal.
  if (isTemporaryFailure(response) && carriedKindOf(request) !== 'photo') return unavailableRefusal(response);
  const newerKeys = opened.isNewestKey ? undefined : toBase64url(await serverKeys.publicList());
  const fields =
    newerKeys === undefined ? response.fields : [...response.fields, [relayKeysHeader, newerKeys] as const];
  const sealedAnswer = await opened.sealAnswer(encodeResponse({ ...response, fields }));
  if (!receiptFacts) return { ok: true, sealed: sealedAnswer };
  const receipt = await receiptOf({ secret: opened.receiptSecret, ...receiptFacts });
  return { ok: true, sealed: sealedAnswer, receipt };
}

function innerRequestRefusal(request: BinaryRequest): Refusal | undefined {
  if (headerBytesOf(request) > innerHeaderBytesMax) {
    return { code: 'headers_too_large', detail: `The path and the fields may have ${innerHeaderBytesMax} bytes.` };
  }
  if (carriedKindOf(request)) return undefined;
  return {
    code: 'not_found',
    detail: `A sealed request is a push, a pull, one for runs or for a photo, and no other ${request.method}.`,
  };
}

function problemResponse(refusal: Refusal, request_id: string): InnerResponse {
  const body = { ...problemOfAnyCode(refusal), request_id };
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

/** Returns true if the server could answer the same request later. Only a server without photos replies 501. */
const isTemporaryFailure = ({ status }: InnerResponse): boolean =>
  status === 408 || status === 429 || (status >= 500 && status !== 501);

/**
 * Replies 503 for each temporary status. After a 429, the carrier would also hold back the requests of other devices.
 */
function unavailableRefusal({ fields }: InnerResponse): RefusedReply {
  const secs = Number(fields.find(([name]) => name === 'retry-after')?.[1]);
  const members = secs > 0 ? { members: { retry_after_secs: secs } } : {};
  const detail = 'The server cannot answer the sealed request now; deliver it again soon.';
  return { ok: false, status: 503, error: { code: 'unavailable', detail, ...members } };
}
