/** Reads pushes and their answers in the brief form and in the other one. */
import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { restoreAnswer, type BriefAnswer } from '../../shared/brief/brief-answer.ts';
import { restorePush } from '../../shared/brief/brief-push.ts';
import { canonicalJson } from '../../shared/protocol/canonical-json.ts';
import type { PushRequest, PushResponse } from '../../shared/protocol/push.ts';
import type { AppRequest } from './platform/in-process.ts';

/** A brief push has no account of its own. */
const accountId = '';

export function pushIn({ body }: AppRequest): PushRequest {
  if (typeof body === 'string') return JSON.parse(body) as PushRequest;
  const brief: unknown = JSON.parse(inflateSync(body).toString());
  const digestOf = (steps: unknown) => createHash('sha256').update(canonicalJson(steps)).digest('hex');
  return restorePush(brief, { accountId, digestOf })!.push.request;
}

export function answerIn(answer: unknown, request: PushRequest): PushResponse {
  const isBrief = typeof answer === 'object' && answer !== null && 'brief' in answer;
  return isBrief ? restoreAnswer(answer as BriefAnswer, { request, chain: '' }) : (answer as PushResponse);
}
