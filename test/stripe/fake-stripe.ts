/**
 * Stripe in the process of the test: the calls that the server uses, over HTTP, with idempotency keys, and events that are
 * signed as Stripe signs them. It keeps an answer back, or fails, when it is told to.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import type { StripeSettings } from '../../server/billing/stripe/stripe.ts';
import { parseForm, type FormFields } from './form.ts';
import { StripeObjects, type StripeObject } from './stripe-objects.ts';

export interface StripeRequest {
  method: string;
  path: string;
  form: FormFields;
  version: string | undefined;
}

/**
 * `hold` answers with what it knows now, once the promise that `until` returns resolves. An answer `afterwards` fails when
 * the request has had its effect.
 */
export type Misbehaviour =
  | { kind: 'answer'; status: number; code?: string; afterwards?: boolean }
  | { kind: 'silence' }
  | { kind: 'hold'; until: () => Promise<void> };

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
  teamPrices: ['price_team', 'price_team_before'],
  seatPrices: ['price_seat', 'price_seat_before'],
};

/** `now` returns milliseconds since 1970. */
export async function startFakeStripe(now: () => number = Date.now): Promise<FakeStripe> {
  const objects = new StripeObjects(settings.webhookSecret, now);
  const requests: StripeRequest[] = [];
  const rules: Rule[] = [];
  const firstByKey = new Map<string, { path: string; form: FormFields; answer: Answer }>();

  /** Stripe remembers the text of each answer under its key, so that a repeat tells nothing newer, also of a failure. */
  const answerTo = (
    { method, path, form }: StripeRequest,
    key: string | undefined,
    behaviour: Misbehaviour | undefined,
  ): Answer => {
    const first = key === undefined ? undefined : firstByKey.get(key);
    if (first && (first.path !== path || !isDeepStrictEqual(first.form, form))) return keyReused;
    if (first) return { ...first.answer, headers: { 'Idempotent-Replayed': 'true' } };
    const fails = behaviour?.kind === 'answer' ? behaviour : undefined;
    const result = !fails || fails.afterwards ? resultOf(objects, { method, path, form }) : undefined;
    const answer = fails ? toldRefusal(fails) : result!;
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
    // The limits of requests come before the keys, so these answers are not stored.
    const isBefore = behaviour?.kind === 'answer' && [401, 409, 429].includes(behaviour.status);
    if (isBefore) return send(res, toldRefusal(behaviour));
    const answer = structuredClone(answerTo(request, headers['idempotency-key'] as string | undefined, behaviour));
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
      STRIPE_PRICE_TEAM: settings.teamPrices.join(','),
      STRIPE_PRICE_SEAT: settings.seatPrices.join(','),
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
  headers?: Record<string, string>;
}

const refusal = (
  status: number,
  message: string,
  { type = 'invalid_request_error', code }: { type?: string; code?: string } = {},
): Answer => ({ status, body: { error: { type, message, ...(code === undefined ? {} : { code }) } } });

const toldRefusal = ({ status, code }: { status: number; code?: string }): Answer =>
  refusal(status, 'told to fail', {
    type: status >= 500 ? 'api_error' : 'invalid_request_error',
    ...(code === undefined ? {} : { code }),
  });

const keyReused = refusal(400, 'Keys for idempotent requests can only be used with the same parameters', {
  type: 'idempotency_error',
});

function send(res: ServerResponse, { status, body, headers }: Answer): void {
  res.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
}

function resultOf(
  objects: StripeObjects,
  { method, path, form }: Pick<StripeRequest, 'method' | 'path' | 'form'>,
): Answer {
  const { pathname, searchParams } = new URL(path, 'http://stripe.test');
  const [, resource = '', id = '', verb = ''] =
    /^\/v1\/(checkout\/sessions|customers|subscriptions|billing_portal\/sessions)(?:\/(\w+))?(?:\/(\w+))?$/.exec(
      pathname,
    ) ?? [];
  const known = objectAt(objects, id);
  const ok = (body: object): Answer => ({ status: 200, body });
  if (id !== '' && !known) return refusal(404, `No such object: ${id}`, { code: 'resource_missing' });
  const missing = missingIn(objects, form);
  if (missing !== undefined) return refusal(400, `No such ${missing}`, { code: 'resource_missing' });
  switch (`${method} ${resource} ${verb || (id && 'one')}`) {
    case 'POST checkout/sessions ':
      return ok(objects.newSession(form));
    case 'GET checkout/sessions ': {
      const since = Number(searchParams.get('created[gte]'));
      const isListed = ({ status, created }: StripeObject) => status === searchParams.get('status') && created >= since;
      const data = [...objects.sessions.values()].filter(isListed).toReversed();
      return ok({ object: 'list', data, has_more: false, url: pathname });
    }
    case 'GET checkout/sessions one':
    case 'GET customers one':
    case 'GET subscriptions one':
      return ok(known!);
    case 'POST checkout/sessions expire':
      if (known!['status'] !== 'open') return refusal(400, 'Only open sessions can be expired');
      return ok(Object.assign(known!, { status: 'expired' }));
    case 'POST subscriptions one':
      return updateSubscription(objects, known!, form);
    case 'POST billing_portal/sessions ':
      return ok({ object: 'billing_portal.session', url: `https://billing.stripe.test/p/${String(form['customer'])}` });
    default:
      return refusal(404, `Unrecognized request URL (${method}: ${path})`);
  }
}

const objectAt = (objects: StripeObjects, id: string): StripeObject | undefined =>
  objects.sessions.get(id) ?? objects.subscriptions.get(id) ?? objects.customer(id);

/** Names the price or customer of a request that Stripe has not, or has no more. */
function missingIn(objects: StripeObjects, form: FormFields): string | undefined {
  const price = pricesIn(form).find((one) => !objects.prices.has(one));
  if (price !== undefined) return `price: '${price}'`;
  const { customer } = form;
  if (typeof customer !== 'string') return undefined;
  const known = objects.customer(customer);
  return !known || known['deleted'] ? `customer: '${customer}'` : undefined;
}

const pricesIn = ({ line_items, items }: FormFields): string[] =>
  [line_items, items].flatMap((list) =>
    Object.values((list ?? {}) as FormFields).flatMap((item) => ((item as FormFields)['price'] as string) ?? []),
  );

function updateSubscription(objects: StripeObjects, subscription: StripeObject, form: FormFields): Answer {
  if (subscription['status'] === 'canceled')
    return refusal(400, 'A canceled subscription can only update its metadata');
  if (!objects.changeItems(subscription, form['items'] as FormFields | undefined)) {
    return refusal(400, 'Cannot add multiple subscription items with the same plan, or change one that is gone');
  }
  Object.assign(subscription['metadata'] as object, form['metadata']);
  return { status: 200, body: subscription };
}
