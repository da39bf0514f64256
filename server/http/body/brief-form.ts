/** Expands a push in the brief form (shared/brief) into the full push request, and shortens the reply. */
import {
  briefCharsMax,
  briefMediaType,
  pushCheckOf,
  checkedTextOf,
  restorePush,
  type PushWithHeaders,
} from '../../../shared/brief/brief-push.ts';
import { toBriefAnswer } from '../../../shared/brief/brief-answer.ts';
import { canonicalJson } from '../../../shared/protocol/canonical-json.ts';
import { pushBaseHeader, formatPushBase } from '../../../shared/protocol/effects.ts';
import type { PushResponse } from '../../../shared/protocol/push.ts';
import { protocolHeader } from '../../../shared/protocol/version.ts';
import type { Caller } from '../../core/caller.ts';
import { sha256 } from '../../core/hash.ts';
import type { RefusedReply, Reply } from '../route-reply.ts';

/** A shorter form of a route's requests. A client chooses this form by the `Content-Type` of its request. */
export interface BriefForm {
  mediaType: string;
  /** Limits the body after its decompression. */
  bytesMax: number;
  expand(body: unknown, caller: Caller): ExpandedRequest | RefusedReply;
}

/** The full request that a brief request stands for. */
export interface ExpandedRequest {
  ok: true;
  body: unknown;
  /** The headers that the full request would have. */
  headers: Record<string, string>;
  /** Returns undefined for a reply that has no brief form. */
  shorten(reply: Reply): Reply | undefined;
}

export const briefPushForm: BriefForm = {
  mediaType: briefMediaType,
  // A character takes at most 4 bytes in UTF-8.
  bytesMax: 4 * briefCharsMax,
  expand(body, { accountId }) {
    const digestOf = (steps: unknown) => sha256(canonicalJson(steps));
    const whole = restorePush(body, { accountId, digestOf });
    if (!whole || pushCheckOf(sha256(checkedTextOf(whole.push))) !== whole.check) return notBriefRefusal;
    const { push } = whole;
    return { ok: true, body: push.request, headers: headersOf(push), shorten: (reply) => shortReply(reply, push) };
  },
};

const headersOf = ({ protocol, base }: PushWithHeaders): Record<string, string> => ({
  [protocolHeader]: String(protocol),
  [pushBaseHeader]: formatPushBase(base),
});

function shortReply(reply: Reply, { request }: PushWithHeaders): Reply | undefined {
  if (!reply.ok || !('response' in reply)) return undefined;
  const { response } = reply;
  const brief = toBriefAnswer(response.body as PushResponse, request);
  return brief && { ok: true, response: { ...response, body: brief }, isBrief: true };
}

/** After this refusal, the device sends the push in the full form. */
const notBriefRefusal: RefusedReply = {
  ok: false,
  error: {
    code: 'malformed_json',
    detail: 'The body is not the brief form of a push, or of another one than its check.',
  },
};
