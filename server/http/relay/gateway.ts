/**
 * The gateway of Oblivious HTTP (RFC 9458): opens a sealed request, has it answered like any other, and seals the answer.
 *
 *   carrier's token, quota (pipeline.ts) → open → Binary HTTP → push, pull or photo, by the whole pipeline → seal → 200
 *     │ key unknown: 422   │ changed or malformed: 400          │ anything else: 404 inside  │ 408, 429, 5xx but of photos: 503
 */
import type { Refusal } from '../../../shared/protocol/problem.ts';
import { problemOfAny } from '../../../shared/protocol/problems/all-problems.ts';
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
 * Resolves to the sealed answer, and to the receipt of a push whose numbers are all answered. `address` is that of the
 * carrier.
 */
export async function answerSealedRequest(
  { serverKeys, innerRequests, world }: GatewayServices,
  { sealed, address }: { sealed: Bytes; address: string },
): Promise<{ ok: true; sealed: Bytes; receipt?: string } | RefusedReply> {
  const opened = await serverKeys.open(sealed);
  if (opened === 'unknown_key') return unknownKeyRefusal;
  const request = opened === 'malformed' ? undefined : decodeRequest(opened.request);
  if (opened === 'malformed' || !request) return malformedRefusal;
  const refusal = refusalOf(request);
  const inner = refusal ? problemResponse(refusal, randomUuid(world)) : await innerRequests.send(request, address);
  const { receiptFacts, ...response } = inner;
  // A sealed one would end the journey, and its device may be out of reach for a season. The carrier tries again soon.
  // Photos make no journey: their device waits for the answer, and must know for how long the server asks it to.
  if (isTemporary(response) && carriedKindOf(request) !== 'photo') return unavailableRefusal(response);
  const newerKeys = opened.isNewestKey ? undefined : toBase64url(await serverKeys.publicList());
  const fields =
    newerKeys === undefined ? response.fields : [...response.fields, [relayKeysHeader, newerKeys] as const];
  const sealedAnswer = await opened.sealAnswer(encodeResponse({ ...response, fields }));
  if (!receiptFacts) return { ok: true, sealed: sealedAnswer };
  const receipt = await receiptOf({ secret: opened.receiptSecret, ...receiptFacts });
  return { ok: true, sealed: sealedAnswer, receipt };
}

function refusalOf(request: BinaryRequest): Refusal | undefined {
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
  const body = { ...problemOfAny(refusal), request_id };
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

/** The server did not do what was asked, and may do so later. One that keeps no photos (501) will not. */
const isTemporary = ({ status }: InnerResponse): boolean =>
  status === 408 || status === 429 || (status >= 500 && status !== 501);

/** The outer status is 503 for each: after a 429 a carrier would keep back what other devices gave it. */
function unavailableRefusal({ fields }: InnerResponse): RefusedReply {
  const secs = Number(fields.find(([name]) => name === 'retry-after')?.[1]);
  const members = secs > 0 ? { members: { retry_after_secs: secs } } : {};
  const detail = 'The server cannot answer the sealed request now; deliver it again soon.';
  return { ok: false, status: 503, error: { code: 'unavailable', detail, ...members } };
}
