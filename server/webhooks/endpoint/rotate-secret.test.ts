import { expect, test } from 'vitest';
import type { WebhookRow } from '../../store/webhooks/webhook-row.ts';
import { rotateSecret } from './rotate-secret.ts';

const now = '2026-07-01T08:00:00.000Z';
const webhook = { secret_generation: 3, old_secrets: [] as WebhookRow['old_secrets'] } as WebhookRow;
const at = (hours: number) => new Date(Date.parse(now) + hours * 3_600_000).toISOString();

test('[HOOK-8] a new secret lets the ones before sign until the overlap ends, and none longer than it had', () => {
  const once = rotateSecret(webhook, { overlapHours: 24, now });
  expect(once).toMatchObject({ secret_generation: 4, old_secrets: [{ generation: 3, until: at(24) }] });
  const twice = rotateSecret(once, { overlapHours: 168, now: at(1) });
  expect(twice.old_secrets).toEqual([
    { generation: 4, until: at(169) },
    { generation: 3, until: at(24) },
  ]);
  expect(rotateSecret(twice, { overlapHours: 1, now: at(30) }).old_secrets).toEqual([
    { generation: 5, until: at(31) },
    { generation: 4, until: at(31) },
  ]);
});

test('[HOOK-8] an overlap of 0 ends all secrets before, and no more than four stay', () => {
  const many = Array.from({ length: 6 }).reduce<WebhookRow>(
    (row) => rotateSecret(row, { overlapHours: 100, now }),
    webhook,
  );
  expect(many.old_secrets.map(({ generation }) => generation)).toEqual([8, 7, 6, 5]);
  expect(rotateSecret(many, { overlapHours: 0, now }).old_secrets).toEqual([]);
});
