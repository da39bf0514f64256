/** A round sends requests drawn from a seed, by two accounts, to one server. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { openServer, type RunningServer } from '../../server/app.ts';
import { createAccount } from '../../server/auth/new-account.ts';
import type { ApiDocument } from '../../server/openapi/document.ts';
import { operatorToken, restClient } from '../device/test-server.ts';
import { answerCheck } from '../openapi/answer-schemas.ts';
import { newActor, rememberRecords, type Actor } from './actor.ts';
import { inconsistencies } from './consistency.ts';
import type { FuzzRequest } from './request.ts';
import { requestsOf, type Cast } from './requests.ts';
import { answerFaults } from './verdict.ts';
import { Wire, type Exchange } from './wire.ts';

export interface Violation {
  seed: number;
  what: string;
  /** The request as it was sent, for reproducing it. */
  sent: string;
}

export interface RoundFigure {
  requests: number;
  answers: number;
  /** How often each status was answered. */
  statuses: Map<number, number>;
  kinds: Map<string, number>;
  violations: Violation[];
}

export interface RoundOptions {
  seed: number;
  requests: number;
  /** Called for each violation as it is found. */
  onViolation?: (violation: Violation) => void;
}

const wiresMax = 8;
const requestsPerTurn = 64;
const pipelinedMax = 4;
/** Each request moves the server's clock forward by this much, so that limits expire. */
const msPerRequest = 250;

export async function runFuzzRound({ seed, requests, onViolation }: RoundOptions): Promise<RoundFigure> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gemba-fuzz-'));
  const figure: FigureWithListener = {
    ...(onViolation ? { onViolation } : {}),
    requests: 0,
    answers: 0,
    statuses: new Map(),
    kinds: new Map(),
    violations: [],
  };
  const server = await openServer({
    dataDir,
    port: 0,
    host: '127.0.0.1',
    adminToken: operatorToken,
    rateLimit: { requests: 1_000_000_000, secs: 60 },
    clock: () => Date.now() + figure.requests * msPerRequest,
    onBug: (bug) => addViolation(figure, seed, bug instanceof Error ? (bug.stack ?? bug.message) : String(bug)),
  });
  try {
    await sendRandomRequests({ server, figure, seed, requests });
  } finally {
    await server.close();
    await rm(dataDir, { recursive: true, force: true });
  }
  return figure;
}

type FigureWithListener = RoundFigure & Pick<RoundOptions, 'onViolation'>;

interface RandomRequestsOptions {
  server: RunningServer;
  figure: FigureWithListener;
  seed: number;
  requests: number;
}

async function sendRandomRequests({ server, figure, seed, requests }: RandomRequestsOptions): Promise<void> {
  const document = (await (await fetch(`${server.url}/api/v1/openapi.json`)).json()) as ApiDocument;
  const a = await createActor(server, 'mark-of-a-5c1f');
  const b = await createActor(server, 'mark-of-b-9e27');
  const operator = newActor({ mark: 'mark-of-op-33d0', token: operatorToken, firstKeyId: '' });
  const cast: Cast = { actors: [a, b], operator };
  const check = answerCheck(document);
  const arbitrary = requestsOf(document, cast);
  const wires = Array.from({ length: wiresMax }, () => new Wire(server.port));

  const answered = (request: FuzzRequest, { answers, end, tookMs }: Exchange): void => {
    const told = (what: string) => addViolation(figure, seed, `${request.kind}: ${what}`, request);
    if (end !== 'answered' && !(end === 'silent' && request.isTorn)) told(`${end} after ${Math.round(tookMs)} ms`);
    // An account must not receive another's records; the operator may see the names of its accounts.
    const foreignMarks = cast.actors.filter((actor) => actor !== request.actor).map(({ mark }) => mark);
    for (const answer of answers) {
      figure.answers++;
      count(figure.statuses, answer.status);
      for (const fault of answerFaults(request, answer, { check, foreignMarks })) told(`${answer.status}: ${fault}`);
      if (answer.status < 300) rememberAnswer(request, answer.body.toString(), answer.headers.get('ETag'));
    }
  };

  const work = async (wire: Wire, queue: FuzzRequest[]): Promise<void> => {
    for (let batch = takeNextBatch(queue); batch.length > 0; batch = takeNextBatch(queue)) {
      if (batch[0]!.isTorn) wire.close();
      const { answers, ...exchange } = await wire.exchange(batch);
      // The end of the exchange concerns its last answer and the requests without an answer.
      batch.forEach((request, index) => {
        const own = batch.length === 1 ? answers : answers.slice(index, index + 1);
        const end = own.length > 0 && index < answers.length - 1 ? 'answered' : exchange.end;
        answered(request, { answers: own, end, tookMs: exchange.tookMs });
      });
    }
  };

  for (let turn = 0; figure.requests < requests; turn++) {
    const numRuns = Math.min(requestsPerTurn, requests - figure.requests);
    const sample = fc.sample(arbitrary, { seed: seed * 1_000_003 + turn, numRuns });
    figure.requests += sample.length;
    for (const { kind } of sample) count(figure.kinds, kind);
    await Promise.all(wires.map((wire) => work(wire, sample)));
  }
  for (const wire of wires) wire.close();
  await checkAfterRound(server, cast.actors, (what) => addViolation(figure, seed, what));
}

/** Takes the next batch from the front: one request that needs its own connection, or several that go out together. */
function takeNextBatch(queue: FuzzRequest[]): FuzzRequest[] {
  const isAlone = ({ isFramed, place }: FuzzRequest) => !isFramed || place.path.endsWith('/events');
  const alone = queue.findIndex(isAlone);
  const length = alone === 0 ? 1 : Math.min(alone < 0 ? queue.length : alone, 1 + (queue.length % pipelinedMax));
  return queue.splice(0, length);
}

function rememberAnswer({ actor, bytes }: FuzzRequest, text: string, etag: string | null): void {
  if (etag !== null) actor.etags.add(etag);
  if (!text.startsWith('{')) return;
  const body = JSON.parse(text) as { last_seq?: number };
  rememberRecords(actor, body);
  if (body.last_seq === undefined) return;
  const sent = bytes.toString('latin1');
  const client = actor.clients.find(({ id }) => sent.includes(id));
  if (client) client.lastSeq = Math.max(client.lastSeq, body.last_seq);
}

async function createActor(server: RunningServer, mark: string): Promise<Actor> {
  const { api_key: token } = await createAccount(server, { name: `Works ${mark}`, plan: 'team' });
  const rest = restClient(server.url, token);
  const [key] = await rest.list<{ id: string }>('/keys');
  const actor = newActor({ mark, token, firstKeyId: key?.id ?? '' });
  for (const name of [`First ${mark}`, `Second ${mark}`, `Third ${mark}`]) {
    const steps = [1, 2, 3].map((order) => ({ stage_name: `${order} ${mark}`, order, duration_secs: 60 * order }));
    const made = await rest.send<{ map: { id: string } }>('POST', '/recording/new', { name, steps });
    rememberRecords(actor, made.body);
    rememberRecords(actor, await rest.get(`/maps/${made.body.map.id}`));
  }
  return actor;
}

/** After the round the server still serves, and its records fit together. */
async function checkAfterRound(server: RunningServer, actors: Actor[], told: (what: string) => void): Promise<void> {
  const ready = await fetch(`${server.url}/readyz`);
  if (ready.status !== 200) told(`not ready afterwards: ${ready.status}`);
  for (const { token } of actors) {
    const made = await restClient(server.url, token).send('POST', '/maps', { name: 'Afterwards' });
    if (made.status !== 201) told(`no map afterwards: ${made.status} ${JSON.stringify(made.body)}`);
    for (const what of await inconsistencies(server.url, token)) told(what);
  }
  if (({} as { polluted?: unknown }).polluted !== undefined) told('Object.prototype is polluted');
}

const sentMax = 3_000;

function addViolation(
  { violations, onViolation }: FigureWithListener,
  seed: number,
  what: string,
  request?: FuzzRequest,
): void {
  const sent = request ? JSON.stringify(request.bytes.toString('latin1').slice(0, sentMax)) : '';
  const violation = { seed, what, sent };
  violations.push(violation);
  onViolation?.(violation);
}

const count = <Key>(counts: Map<Key, number>, key: Key): void => void counts.set(key, (counts.get(key) ?? 0) + 1);
