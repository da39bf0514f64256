/**
 * Makes the server answer as one of an earlier version, which knew neither effects of pushes nor packed pages nor brief
 * pushes: it ignores the headers that ask for them, refuses the media type, and announces nothing, the next page neither.
 */
import { pushBaseHeader } from '../../../shared/protocol/effects.ts';
import { nextCursorHeader } from '../../../shared/protocol/version.ts';
import { isSuccess, type AppAnswer, type AppRequest } from './in-process.ts';

const unknownHeaders = new Set([pushBaseHeader.toLowerCase(), 'accept']);

export async function askOlder(
  request: AppRequest,
  ask: (request: AppRequest) => Promise<AppAnswer>,
): Promise<AppAnswer> {
  if (typeof request.body !== 'string') return unsupported;
  const known = Object.entries(request.headers).filter(([name]) => !unknownHeaders.has(name.toLowerCase()));
  const answer = await ask({ ...request, headers: Object.fromEntries(known) });
  return isSuccess(answer) && request.target.includes('/sync/pull') ? withoutOffer(answer) : answer;
}

function withoutOffer(answer: AppAnswer): AppAnswer {
  const { push_brief: _offer, ...body } = JSON.parse(answer.body.toString()) as Record<string, unknown>;
  const headers = answer.headers.filter(([name]) => !newerHeaders.has(name.toLowerCase()));
  return { ...answer, headers, body: Buffer.from(JSON.stringify(body)) };
}

/** The length is that of the body with the offer. */
const newerHeaders = new Set([nextCursorHeader.toLowerCase(), 'content-length']);

const unsupported: AppAnswer = {
  status: 415,
  headers: [['content-type', 'application/problem+json']],
  body: Buffer.from(JSON.stringify({ status: 415, code: 'unsupported_media_type', title: 'Unsupported', detail: '' })),
};
