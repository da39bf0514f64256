/** Sends the examples of the document to a real server and writes its answers with the document's ids and times. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openServer } from '../../server/app.ts';
import type { ExampleResponse, ExampleResponses } from '../../server/openapi/example-responses.ts';
import type { ApiDocument } from '../../server/openapi/document.ts';
import { exampleSecrets } from '../../server/http/routes/example-ids.ts';
import type { ExampleRequest, RouteDocs } from '../../server/openapi/route-docs.ts';
import { routesOf } from '../../server/http/http-app.ts';
import { operatorToken } from '../device/test-server.ts';
import { startFakeStripe, type FakeStripe } from '../stripe/fake-stripe.ts';
import { story, type Scene } from './story.ts';

export interface Played extends Scene, ExampleResponse {
  path: string;
  method: string;
  headers: Headers;
}

export interface Replay {
  document: ApiDocument;
  played: Played[];
}

/** The time of the first example. Each further example is a minute later. */
const firstMinute = Date.UTC(2026, 6, 1, 8);

export async function replayExamples(): Promise<Replay> {
  let now = firstMinute;
  const dataDir = await mkdtemp(join(tmpdir(), 'gemba-openapi-'));
  const adminToken = operatorToken;
  const stripe = await startFakeStripe(() => now);
  const billing = { ...stripe.settings, origins: ['https://gemba.example'] };
  const place = { dataDir, port: 0, host: '127.0.0.1' };
  const server = await openServer({ ...place, adminToken, billing, sendsWebhooks: false, clock: () => now });
  try {
    const document = (await (await fetch(`${server.url}/api/v1/openapi.json`)).json()) as ApiDocument;
    const madeByShown = new Map<string, string>();
    const docs = routesOf(server.services, adminToken).flatMap((route) => route.docs ?? []);
    const played: Played[] = [];
    for (const scene of story) {
      now += 60_000;
      if (scene.afterPayment) await payCheckout(stripe, server.url);
      const operation = docs.find(({ operationId }) => operationId === scene.operationId);
      const spot = findOperation(document, scene.operationId);
      // An operation without a route is not in the document, so its examples are left out.
      if (spot && operation)
        played.push(await playScene({ url: server.url, scene, docs: operation, madeByShown, ...spot }));
    }
    return { document, played };
  } finally {
    await server.close();
    await stripe.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Answers in the form of `example-responses.json`. */
export function recordedAnswers(played: Played[]): ExampleResponses {
  const answers: ExampleResponses = {};
  for (const { operationId, example, unrecorded, status, body } of played) {
    if (!unrecorded) (answers[operationId] ??= {})[example] = { status, body };
  }
  return answers;
}

export interface OperationPlace {
  path: string;
  method: string;
  security: Record<string, string[]>[];
}

export function findOperation(document: ApiDocument, operationId: string): OperationPlace | undefined {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      if (operation['operationId'] === operationId) {
        return { path, method: method.toUpperCase(), security: operation['security'] as OperationPlace['security'] };
      }
    }
  }
  return undefined;
}

async function payCheckout(stripe: FakeStripe, url: string): Promise<void> {
  const [session] = stripe.sessions.values();
  if (!session) throw new Error('no checkout was begun');
  stripe.pay(session['id'] as string);
  await stripe.deliver(url, stripe.event('checkout.session.completed', session));
}

interface PlayOptions extends OperationPlace {
  url: string;
  scene: Scene;
  docs: RouteDocs;
  /** The ids and codes that the server made, by the ids and codes that the document shows in their place. */
  madeByShown: Map<string, string>;
}

async function playScene({ url, scene, docs, madeByShown, path, method, security }: PlayOptions): Promise<Played> {
  const example = docs.examples[scene.example];
  if (!example) throw new Error(`${scene.operationId} has no example ${scene.example}`);
  const { target, headers, body } = JSON.parse(
    withMadeIds(JSON.stringify(requestOf(path, example)), madeByShown),
  ) as Request;
  const response = await fetch(url + target, {
    method,
    headers: { ...authorization(security, madeByShown), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const answer = await readBody(response);
  for (const [shown, pointer] of Object.entries(scene.learn ?? {})) madeByShown.set(shown, valueAt(answer, pointer));
  const toldBody = JSON.parse(withShownIds(JSON.stringify(answer), madeByShown)) as unknown;
  return { ...scene, path, method, status: response.status, headers: response.headers, body: toldBody };
}

interface Request {
  target: string;
  headers: Record<string, string>;
  body: object | string | undefined;
}

function requestOf(path: string, { path: ids = {}, query = {}, headers = {}, body, text }: ExampleRequest): Request {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => String(ids[name]));
  const parameters = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
  return {
    target: parameters.size > 0 ? `${filled}?${parameters}` : filled,
    headers: { ...type, ...headers },
    body: body ?? text,
  };
}

function authorization(security: OperationPlace['security'], madeByShown: Map<string, string>): Record<string, string> {
  if (security.length === 0) return {};
  const isOperators = security.some((scheme) => 'operator' in scheme);
  return { Authorization: `Bearer ${isOperators ? operatorToken : madeByShown.get(exampleSecrets.firstKey)}` };
}

/** Reads an event stream up to its first event. */
async function readBody(response: Response): Promise<unknown> {
  const type = response.headers.get('Content-Type') ?? '';
  if (type.includes('json')) return response.json();
  if (!type.includes('event-stream')) return response.text();
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!text.includes('\n\n')) {
    const { done, value } = await reader.read();
    if (done) break;
    text += value;
  }
  await reader.cancel();
  return text;
}

const withMadeIds = (text: string, madeByShown: Map<string, string>): string =>
  [...madeByShown].reduce((so, [example, made]) => so.replaceAll(example, made), text);

/** The server notes uses of tokens a little later, so their times have no exact minute. */
const withShownIds = (text: string, madeByShown: Map<string, string>): string =>
  [...madeByShown]
    .reduce((so, [example, made]) => so.replaceAll(`"${made}"`, `"${example}"`), text)
    .replaceAll(/"(last_used_at|last_seen_at)":"[^"]*"/g, `"$1":"${new Date(firstMinute).toISOString()}"`);

function valueAt(answer: unknown, pointer: string): string {
  const found = pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((so, key) => (so as Record<string, unknown>)?.[key], answer);
  if (typeof found !== 'string') throw new Error(`nothing at ${pointer} of ${JSON.stringify(answer)}`);
  return found;
}
