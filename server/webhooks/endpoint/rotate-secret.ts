import type { WebhookRow } from '../../store/webhooks/webhook-row.ts';

/** Limits the old secrets, and so the signatures of a delivery. */
const oldSecretsMax = 4;
const hourMs = 3_600_000;

/**
 * Gives the endpoint a new secret. The newest earlier secrets, at most `oldSecretsMax`, sign in addition to the new
 * secret until the overlap ends. A secret whose `until` is before the end of the overlap signs only until then.
 */
export function rotateSecret(
  webhook: WebhookRow,
  { overlapHours, now }: { overlapHours: number; now: string },
): WebhookRow {
  const overlapEnd = new Date(Date.parse(now) + overlapHours * hourMs).toISOString();
  const live = [{ generation: webhook.secret_generation, until: overlapEnd }, ...webhook.old_secrets]
    .map(({ generation, until }) => ({ generation, until: until < overlapEnd ? until : overlapEnd }))
    .filter(({ until }) => until > now);
  const old_secrets = live.slice(0, oldSecretsMax);
  return { ...webhook, secret_generation: webhook.secret_generation + 1, old_secrets };
}
