/** Writes a reply as an HTTP response. */
import type { Request, Response } from 'express';
import type { Refusal } from '../../shared/protocol/problem.ts';
import { allProblemKinds, problemOfAnyCode } from '../../shared/protocol/problems/all-problems.ts';
import { etagMatchesIfNoneMatch } from '../core/etag.ts';
import type { JsonResponse } from '../core/reply.ts';
import { dropUnneededHeaders } from './body/brief-headers.ts';
import { compressBody } from './body/compress.ts';
import { forgetHeaders } from './body/forget-headers.ts';
import { respondAndLinger } from './body/linger.ts';
import { serializeInSlices } from './body/json-pieces.ts';
import type { MemoryLease } from './limits/memory-budget.ts';
import { countLimitRefusal, isEventStream, rememberEventStream } from './observe.ts';
import { requestIdOf } from './request-id.ts';
import { sendBody } from './body/send-body.ts';
import type { BytesReply, RefusedReply, Reply, StreamReply } from './route-reply.ts';

interface RespondOptions {
  req: Request;
  res: Response;
  lease: MemoryLease;
  /** False on public routes, so that nobody without a token makes the server compress. */
  mayCompress: boolean;
}

export async function respond(context: RespondOptions, reply: Reply): Promise<void> {
  const { req, res } = context;
  // The event `close` releases the lease, so no lease may be taken after `close`.
  if (res.destroyed) return;
  if (!reply.ok) respondProblem(res, reply);
  else if ('stream' in reply) await respondStream(req, res, reply);
  else if ('bytes' in reply) respondBytes(context, reply);
  else if ('emptyStatus' in reply) res.status(reply.emptyStatus).set(reply.headers).end();
  else {
    for (const name of reply.vary ?? []) res.vary(name);
    if (clientHasCurrentVersion(req, reply.response.headers['ETag'])) res.set(reply.response.headers).status(304).end();
    else await respondJson(context, reply.response, reply.isBrief);
  }
}

/** Only larger responses need a lease. The rate limits keep the memory of smaller responses low. */
const leasedBytesMin = 64 * 1024;

async function respondJson(
  { req, res, lease, mayCompress }: RespondOptions,
  { status, headers, body }: JsonResponse,
  isBrief = false,
): Promise<void> {
  const bytes = await serializeInSlices(body);
  if (res.destroyed) return;
  const refusal = takeLease(res, lease, bytes.length);
  if (refusal) return respondProblem(res, refusal);
  res.status(status).set({ 'Content-Type': 'application/json; charset=utf-8', ...headers });
  if (isBrief) {
    dropUnneededHeaders(req, res);
    return sendBody(res, bytes);
  }
  // A compressed body would need an ETag of its own. The ETag of a record must stay the version of the record, since
  // clients repeat this ETag in `If-Match`.
  if (!mayCompress || 'ETag' in headers) return sendBody(res, bytes);
  res.vary('Accept-Encoding');
  const compressed = await compressBody(bytes, req.get('Accept-Encoding'));
  if (res.destroyed) return;
  if (compressed.encoding !== 'identity') res.set('Content-Encoding', compressed.encoding);
  sendBody(res, compressed.bytes);
}

function respondBytes({ req, res, lease }: RespondOptions, { headers, bytes }: BytesReply): void {
  if (clientHasCurrentVersion(req, headers['ETag'])) return void res.writeHead(304, headers).end();
  const refusal = takeLease(res, lease, bytes.length);
  if (refusal) return respondProblem(res, refusal);
  res.setHeaders(new Map(Object.entries(headers)));
  sendBody(res, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}

/** Leases the memory of a large body until the response closes. Returns a refusal if a limit is reached. */
function takeLease(res: Response, lease: MemoryLease, size: number): RefusedReply | undefined {
  const refusal = size < leasedBytesMin ? undefined : lease.take(size);
  if (!refusal) res.once('close', () => lease.release());
  return refusal;
}

async function respondStream(req: Request, res: Response, { headers, vary, stream }: StreamReply): Promise<void> {
  for (const name of vary ?? []) res.vary(name);
  if (clientHasCurrentVersion(req, headers['ETag'])) res.writeHead(304, headers).end();
  else if (req.method === 'HEAD') res.writeHead(200, headers).end();
  else {
    const refusal = await stream(res);
    if (refusal) respondProblem(res, refusal);
    else if (isEventStream(res)) {
      rememberEventStream(res);
      forgetHeaders(req, res);
    }
  }
}

export function respondProblem(res: Response, { error, status, headers, endsConnection }: RefusedReply): void {
  const problem = problemOfAnyCode(error, status);
  countLimitRefusal(res, error.code);
  res.status(problem.status).set({ ...problemHeaders(error), ...headers });
  // `res.set` would add a charset, which this media type does not have.
  res.setHeader('Content-Type', 'application/problem+json');
  const body = JSON.stringify({ ...problem, request_id: requestIdOf(res) });
  if (endsConnection && !res.req.complete) respondAndLinger(res, body);
  else res.end(body);
}

const unavailableRetryAfterSecs = 2;

function problemHeaders({ code, members }: Refusal): Record<string, string> {
  if (allProblemKinds[code].status === 401) return { 'WWW-Authenticate': 'Bearer' };
  const secs = members?.['retry_after_secs'] ?? (code === 'unavailable' ? unavailableRetryAfterSecs : undefined);
  return secs === undefined ? {} : { 'Retry-After': String(secs) };
}

function clientHasCurrentVersion(req: Request, etag: string | undefined): boolean {
  const header = req.get('If-None-Match');
  const isRead = req.method === 'GET' || req.method === 'HEAD';
  return isRead && etag !== undefined && header !== undefined && etagMatchesIfNoneMatch(etag, header);
}
