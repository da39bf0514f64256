/**
 * An S3 service in the process of the test: path style, signatures, ranges and lists in pages, with strong consistency. It
 * misbehaves when it is told to.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { BucketSettings } from '../../server/photos/s3/bucket-settings.ts';
import { flawOfSignature, type ReceivedRequest, type S3Credentials } from './signature.ts';

export interface S3Request {
  method: string;
  /** The key of the object; empty for a list. */
  name: string;
  bytes: number;
}

export type Misbehaviour =
  | { kind: 'answer'; status: number; code: string }
  /** The connection breaks, before or after the request has its effect. */
  | { kind: 'reset'; when: 'before' | 'after' }
  | { kind: 'silence' }
  /** The answer ends before its last byte, and the connection stays. */
  | { kind: 'stall' }
  /** `run` ends between the effect of the request and its answer. */
  | { kind: 'pause'; run: () => Promise<void> | void };

interface Rule {
  matches: (request: S3Request) => boolean;
  behaviour: Misbehaviour;
  left: number;
}

export interface S3Server {
  settings: BucketSettings;
  environment: Record<string, string>;
  /** The objects by their keys. */
  objects: Map<string, Buffer>;
  /** The requests whose signature was right. */
  requests: S3Request[];
  /** Makes the next `times` requests that match misbehave. */
  misbehave(behaviour: Misbehaviour, matches?: Rule['matches'], times?: number): void;
  /** Ends all misbehaviour. */
  behave(): void;
  close(): Promise<void>;
}

interface S3ServerOptions {
  /** A page of a list has at most so many keys. */
  pageKeysMax?: number;
  now?: () => number;
  /** Answers a range with the whole object, as HTTP allows. */
  ignoresRanges?: boolean;
}

const bucketName = 'gemba-test';
const folder = 'some/folder/';
const credentials: S3Credentials = { key: 'AKIDTESTKEY', secret: 'the/secret+of=the-tests', region: 'us-east-1' };

interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
}

export async function startS3Server(options: S3ServerOptions = {}): Promise<S3Server> {
  const { pageKeysMax = 1000, now = Date.now, ignoresRanges = false } = options;
  const objects = new Map<string, Buffer>();
  const requests: S3Request[] = [];
  let rules: Rule[] = [];
  const server = createServer((incoming, response) => void serve(incoming, response).catch(() => response.destroy()));

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = '', query = ''] = (incoming.url ?? '').split('?');
    const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
    const body = await buffer(incoming);
    const received: ReceivedRequest = { method: incoming.method ?? '', path, query, headers, body };
    const [, bucket = '', ...parts] = decodeURIComponent(path).split('/');
    const request = { method: received.method, name: parts.join('/'), bytes: body.length };
    const flaw = flawOfSignature(received, credentials, now());
    if (flaw) return send(response, request.method, errorAnswer(statusOf(flaw), flaw));
    if (bucket !== bucketName) return send(response, request.method, errorAnswer(404, 'NoSuchBucket'));
    requests.push(request);
    const range = ignoresRanges ? undefined : headers['range'];
    const act = () => answerTo(request, { query: new URLSearchParams(query), range, body });
    const answer = await answerWith(misbehaviourOf(request), act);
    if (answer === 'reset') incoming.socket.destroy();
    else if (answer === 'stall') response.writeHead(200, { 'Content-Length': '9' }).write('<');
    else if (answer !== 'silence') send(response, request.method, answer);
  }

  async function answerWith(
    behaviour: Misbehaviour | undefined,
    act: () => Answer,
  ): Promise<Answer | 'reset' | 'silence' | 'stall'> {
    if (behaviour?.kind === 'answer') return errorAnswer(behaviour.status, behaviour.code);
    if (behaviour?.kind === 'silence') return 'silence';
    if (behaviour?.kind === 'reset' && behaviour.when === 'before') return 'reset';
    const answer = act();
    if (behaviour?.kind === 'pause') await behaviour.run();
    return behaviour?.kind === 'reset' || behaviour?.kind === 'stall' ? behaviour.kind : answer;
  }

  function misbehaviourOf(request: S3Request): Misbehaviour | undefined {
    const rule = rules.find(({ matches, left }) => left > 0 && matches(request));
    if (rule) rule.left--;
    return rule?.behaviour;
  }

  function answerTo(
    { method, name }: S3Request,
    { query, range, body }: { query: URLSearchParams; range: string | undefined; body: Buffer },
  ): Answer {
    if (name === '' && method === 'GET') return listPage(query);
    const found = objects.get(name);
    if (method === 'PUT') objects.set(name, body);
    if (method === 'PUT') return { status: 200 };
    if (method === 'DELETE') objects.delete(name);
    if (method === 'DELETE') return { status: 204 };
    if (method !== 'GET' && method !== 'HEAD') return errorAnswer(405, 'MethodNotAllowed');
    return found ? objectAnswer(found, range) : errorAnswer(404, 'NoSuchKey');
  }

  function listPage(query: URLSearchParams): Answer {
    if (query.get('list-type') !== '2') return errorAnswer(501, 'NotImplemented');
    const after = query.get('continuation-token')?.replace(/^after & beyond /, '') ?? '';
    const prefix = query.get('prefix') ?? '';
    const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).toSorted();
    const page = keys.slice(0, pageKeysMax);
    const isTruncated = keys.length > page.length;
    const contents = page.map(
      (key) => `<Contents><Key>${key}</Key><Size>${objects.get(key)!.length}</Size></Contents>`,
    );
    const token = `<NextContinuationToken>after &amp; beyond ${page.at(-1)}</NextContinuationToken>`;
    const body = `<?xml version="1.0" encoding="UTF-8"?>
<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>${bucketName}</Name><IsTruncated>${isTruncated}</IsTruncated>${contents.join('')}${isTruncated ? token : ''}</ListBucketResult>`;
    return { status: 200, headers: { 'Content-Type': 'application/xml' }, body };
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { key, secret, region } = credentials;
  return {
    settings: { location: { origin, bucket: bucketName, prefix: folder }, key, secret, region },
    environment: { GEMBA_S3_URL: `${origin}/${bucketName}/${folder}`, GEMBA_S3_KEY: key, GEMBA_S3_SECRET: secret },
    objects,
    requests,
    misbehave: (behaviour, matches = () => true, times = 1) => void rules.push({ behaviour, matches, left: times }),
    behave: () => void (rules = []),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function objectAnswer(object: Buffer, range: string | undefined): Answer {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
  if (first === undefined || last === undefined) return { status: 200, body: object };
  if (Number(first) >= object.length) return errorAnswer(416, 'InvalidRange');
  const body = object.subarray(Number(first), Number(last) + 1);
  const end = Number(first) + body.length - 1;
  return { status: 206, headers: { 'Content-Range': `bytes ${first}-${end}/${object.length}` }, body };
}

const statusOf = (flaw: string): number => (flaw === 'AuthorizationHeaderMalformed' ? 400 : 403);

const errorAnswer = (status: number, code: string): Answer => ({
  status,
  headers: { 'Content-Type': 'application/xml' },
  body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${credentials.key} was told so</Message></Error>`,
});

function send(response: ServerResponse, method: string, { status, headers = {}, body = '' }: Answer): void {
  response.writeHead(status, { ...headers, ...(status === 204 ? {} : { 'Content-Length': Buffer.byteLength(body) }) });
  response.end(method === 'HEAD' || status === 204 ? undefined : body);
}
