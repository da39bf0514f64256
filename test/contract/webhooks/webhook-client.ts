import { expect, onTestFinished } from 'vitest';
import { Endpoint } from '../../endpoint.ts';
import type { Api } from '../fixture.ts';

export const webhooksPath = '/api/v1/webhooks';

export async function openEndpoint(): Promise<Endpoint> {
  const endpoint = await Endpoint.open();
  onTestFinished(() => endpoint.close());
  return endpoint;
}

export async function createWebhook(api: Api, fields: object): Promise<{ id: string; secret: string }> {
  const created = await api.post(webhooksPath, fields);
  expect(created.status).toBe(201);
  return { id: created.body.webhook.id, secret: created.body.secret };
}
