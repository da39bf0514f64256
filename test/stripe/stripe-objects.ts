/** The objects that Stripe keeps, and what people do on its pages. */
import { createHmac, randomBytes } from 'node:crypto';
import type { FormFields } from './form.ts';

// Each test names the fields that it reads.
// oxlint-disable-next-line typescript/no-explicit-any
export type StripeObject = Record<string, any>;

const dayMs = 86_400_000;

export class StripeObjects {
  readonly sessions = new Map<string, StripeObject>();
  readonly subscriptions = new Map<string, StripeObject>();
  /** The ids of the prices that the operator made. */
  readonly prices = new Set(['price_team', 'price_seat', 'price_team_before', 'price_seat_before']);
  readonly #deletedCustomers = new Set<string>();
  readonly #webhookSecret: string;
  readonly #now: () => number;

  constructor(webhookSecret: string, now: () => number) {
    this.#webhookSecret = webhookSecret;
    this.#now = now;
  }

  newSession(form: FormFields): StripeObject {
    const id = newId('cs_test');
    const session = {
      id,
      object: 'checkout.session',
      mode: form['mode'],
      status: 'open',
      created: Math.floor(this.#now() / 1000),
      url: `https://checkout.stripe.test/c/${id}`,
      expires_at: Math.floor((this.#now() + dayMs) / 1000),
      client_reference_id: form['client_reference_id'] ?? null,
      metadata: form['metadata'] ?? {},
      customer: form['customer'] ?? null,
      subscription: null,
      form,
    };
    this.sessions.set(id, session);
    return session;
  }

  /** A person pays the session: it gets a customer and a subscription. Returns the subscription. */
  pay(sessionId: string): StripeObject {
    const session = this.sessions.get(sessionId)!;
    const { line_items, subscription_data } = session['form'] as {
      line_items: FormFields;
      subscription_data: FormFields;
    };
    session['customer'] ??= newId('cus');
    const items = Object.values(line_items).map((line) => {
      const { price, quantity } = line as { price: string; quantity: string };
      return this.#item(price, Number(quantity));
    });
    const { metadata } = subscription_data as { metadata: Record<string, string> };
    const subscription = this.newSubscription({ customer: session['customer'], items, metadata: { ...metadata } });
    Object.assign(session, { status: 'complete', subscription: subscription['id'] });
    return subscription;
  }

  newSubscription({ items, ...fields }: { customer: string; items?: object[]; metadata: object }): StripeObject {
    const subscription = {
      id: newId('sub'),
      object: 'subscription',
      status: 'active',
      cancel_at: null,
      cancel_at_period_end: false,
      items: { object: 'list', data: items ?? [this.#item('price_team', 1)] },
      ...fields,
    };
    this.subscriptions.set(subscription.id, subscription);
    return subscription;
  }

  /** Returns undefined for a customer that Stripe never had. */
  customer(id: string): StripeObject | undefined {
    const all = [...this.sessions.values(), ...this.subscriptions.values()];
    if (!all.some(({ customer }) => customer === id)) return undefined;
    return { id, object: 'customer', ...(this.#deletedCustomers.has(id) ? { deleted: true } : {}) };
  }

  /** The operator deletes a customer at Stripe, which cancels the customer's subscriptions. */
  deleteCustomer(id: string): void {
    this.#deletedCustomers.add(id);
    for (const subscription of this.subscriptions.values()) {
      if (subscription['customer'] === id) subscription['status'] = 'canceled';
    }
  }

  /** The operator changes the seats at Stripe, which leaves the metadata. */
  setSeats(subscription: StripeObject, quantity: number, priceId = 'price_seat'): void {
    const { data } = subscription['items'] as { data: StripeObject[] };
    const others = data.filter(({ price }) => price.id !== priceId);
    subscription['items'].data = quantity > 0 ? [...others, this.#item(priceId, quantity)] : others;
  }

  /** Carries out the `items` of a request, which adds, changes and deletes. Returns false if Stripe would refuse them. */
  changeItems(subscription: StripeObject, items: FormFields = {}): boolean {
    let data = subscription['items'].data as StripeObject[];
    for (const change of Object.values(items) as FormFields[]) {
      const { id, price, quantity, deleted } = change as Record<string, string>;
      const isThere = data.some((item) => (id === undefined ? item['price'].id === price : item['id'] === id));
      if (isThere !== (id !== undefined)) return false;
      if (id === undefined) data = [...data, this.#item(price!, Number(quantity))];
      else if (deleted === 'true') data = data.filter((item) => item['id'] !== id);
      else data = data.map((item) => (item['id'] === id ? { ...item, quantity: Number(quantity) } : item));
    }
    subscription['items'].data = data;
    return true;
  }

  /** Makes an event that tells the object as it is now, or as it was. */
  event(type: string, object: StripeObject): StripeObject {
    return {
      id: newId('evt'),
      object: 'event',
      type,
      created: Math.floor(this.#now() / 1000),
      data: { object: structuredClone(object) },
    };
  }

  /** Returns the header by which Stripe signs a text. */
  sign(payload: string, { secs = Math.floor(this.#now() / 1000), secret = this.#webhookSecret } = {}): string {
    return `t=${secs},v1=${createHmac('sha256', secret).update(`${secs}.${payload}`).digest('hex')}`;
  }

  /** Posts a signed event to a server, as Stripe does. */
  async deliver(url: string, event: StripeObject): Promise<{ status: number; body: StripeObject }> {
    const payload = JSON.stringify(event, null, 2);
    const response = await fetch(`${url}/api/v1/billing/stripe/events`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json; charset=utf-8', 'Stripe-Signature': this.sign(payload) },
      body: payload,
    });
    return { status: response.status, body: (await response.json()) as StripeObject };
  }

  #item(price: string, quantity: number): StripeObject {
    const current_period_end = Math.floor((this.#now() + 30 * dayMs) / 1000);
    return { id: newId('si'), price: { id: price }, quantity, current_period_end };
  }
}

const newId = (prefix: string): string => `${prefix}_${randomBytes(9).toString('hex')}`;
