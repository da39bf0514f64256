/**
 * Stripe in the process of the test: the calls that the server uses, over HTTP, with idempotency keys, and events that are
 * signed as Stripe signs them. It keeps an answer back, or fails, when it is told to.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import type { StripeSettings } from '../../server/billing/stripe.ts';
import { parseForm, type FormFields } from './form.ts';
import { StripeObjects, type StripeObject } from './stripe-objects.ts';

export interface StripeRequest {
  method: string;
  path: string;
  form: FormFields;
  version: string | undefined;
}

/** `hold` answers with what it knows now, once the promise that `until` returns resolves. */
export type Misbehaviour =
  { kind: 'answer'; status: number } | { kind: 'silence' } | { kind: 'hold'; until: () => Promise<void> };

interface Rule {
  matches: (request: StripeRequest) => boolean;
  behaviour: Misbehaviour;
  left: number;
}

export interface FakeStripe extends StripeObjects {
  settings: StripeSettings;
  environment: Record<string, string>;
  /** The requests so far, in the order in which they came. */
  requests: StripeRequest[];
  /** Makes the next `times` requests that match misbehave. */
  misbehave(behaviour: Misbehaviour, matches?: Rule['matches'], times?: number): void;
  behave(): void;
  close(): Promise<void>;
}

const settings = {
  secretKey: 'sk_test_fake',
  webhookSecret: 'whsec_fake',
  priceTeam: 'price_team',
  priceSeat: 'price_seat',
};

/** `now` returns milliseconds since 1970. */
export async function startFakeStripe(now: () => number = Date.now): Promise<FakeStripe> {
  const objects = new StripeObjects(settings, now);
  const requests: StripeRequest[] = [];
  const rules: Rule[] = [];
  const firstByKey = new Map<string, { path: string; form: FormFields; answer: Answer }>();

  const answerTo = ({ method, path, form }: StripeRequest, key: string | undefined): Answer => {
    const first = key === undefined ? undefined : firstByKey.get(key);
    if (first && (first.path !== path || !isDeepStrictEqual(first.form, form))) return keyReused;
    if (first) return first.answer;
    const answer = resultOf(objects, { method, path, form });
    // Stripe remembers the text, so that a repeat tells nothing newer.
    if (key !== undefined) firstByKey.set(key, { path, form, answer: structuredClone(answer) });
    return answer;
  };

  const server = createServer((req, res) => void handle(req, res));
  const handle = async (req: IncomingMessage, res: ServerResponse) => {
    const { method = '', url: path = '', headers } = req;
    const request = { method, path, form: parseForm(await text(req)), version: headers['stripe-version'] as string };
    requests.push(request);
    const rule = rules.find(({ matches, left }) => left > 0 && matches(request));
    if (rule) rule.left--;
    const behaviour = rule?.behaviour;
    if (behaviour?.kind === 'silence') return;
    if (headers.authorization !== `Bearer ${settings.secretKey}`) return send(res, refusal(401, 'No such key'));
    if (behaviour?.kind === 'answer') return send(res, refusal(behaviour.status, 'told to fail'));
    const answer = structuredClone(answerTo(request, headers['idempotency-key'] as string | undefined));
    if (behaviour?.kind === 'hold') await behaviour.until();
    send(res, answer);
  };
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return Object.assign(objects, {
    settings: { ...settings, apiUrl },
    environment: {
      STRIPE_SECRET_KEY: settings.secretKey,
      STRIPE_WEBHOOK_SECRET: settings.webhookSecret,
      STRIPE_PRICE_TEAM: settings.priceTeam,
      STRIPE_PRICE_SEAT: settings.priceSeat,
      GEMBA_STRIPE_API: apiUrl,
    },
    requests,
    misbehave: (behaviour: Misbehaviour, matches: Rule['matches'] = () => true, times = 1) =>
      void rules.push({ matches, behaviour, left: times }),
    behave: () => void rules.splice(0),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  });
}

interface Answer {
  status: number;
  body: object;
}

const refusal = (
  status: number,
  message: string,
  { type = 'invalid_request_error', code }: { type?: string; code?: string } = {},
): Answer => ({ status, body: { error: { type, message, ...(code === undefined ? {} : { code }) } } });

const keyReused = refusal(400, 'Keys for idempotent requests can only be used with the same parameters', {
  type: 'idempotency_error',
});

function send(res: ServerResponse, { status, body }: Answer): void {
  res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

function resultOf(
  objects: StripeObjects,
  { method, path, form }: Pick<StripeRequest, 'method' | 'path' | 'form'>,
): Answer {
  const [, resource = '', id = '', verb = ''] =
    /^\/v1\/(checkout\/sessions|subscriptions|billing_portal\/sessions)(?:\/(\w+))?(?:\/(\w+))?$/.exec(path) ?? [];
  const known: StripeObject | undefined = objects.sessions.get(id) ?? objects.subscriptions.get(id);
  const ok = (body: object): Answer => ({ status: 200, body });
  if (id !== '' && !known) return refusal(404, `No such object: ${id}`, { code: 'resource_missing' });
  switch (`${method} ${resource} ${verb || (id && 'one')}`) {
    case 'POST checkout/sessions ':
      return ok(objects.newSession(form));
    case 'GET checkout/sessions one':
    case 'GET subscriptions one':
      return ok(known!);
    case 'POST checkout/sessions expire':
      if (known!['status'] !== 'open') return refusal(400, 'Only open sessions can be expired');
      return ok(Object.assign(known!, { status: 'expired' }));
    case 'POST subscriptions one':
      Object.assign(known!['metadata'] as object, form['metadata']);
      return ok(known!);
    case 'POST billing_portal/sessions ':
      return ok({ object: 'billing_portal.session', url: `https://billing.stripe.test/p/${String(form['customer'])}` });
    default:
      return refusal(404, `Unrecognized request URL (${method}: ${path})`);
  }
}
