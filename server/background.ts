/**
 * Starts the background work of a server process: sweeps, steps of online migrations, searches for silent devices, and
 * webhooks.
 */
import { startBillingSweeps } from './billing/sweep-billing.ts';
import { startSilenceSearches } from './fleet/silence-events.ts';
import type { Services } from './http/services.ts';
import { runOnlineSteps, type OnlineStepSetting, type StepDatabaseLocation } from './store/online/serve-steps.ts';
import { startDailySweeps, sweptRowCounts } from './store/retention.ts';
import { StoreUnavailable } from './store/store.ts';
import { sweepWebhookAccount } from './webhooks/sweep-account.ts';
import { WebhookDeliverer } from './webhooks/webhook-deliverer.ts';

interface BackgroundOptions extends Omit<StepDatabaseLocation, 'epoch'> {
  onlineSteps?: OnlineStepSetting;
  sendsWebhooks?: boolean;
  webhookRoundMs?: number;
  onBug?: (error: unknown, requestId: string) => void;
}

/**
 * Starts the background work of this process. The returned function stops the work and resolves once the work has
 * ended.
 */
export function startBackgroundWork(
  { onlineSteps, sendsWebhooks = true, webhookRoundMs, onBug = () => {}, ...where }: BackgroundOptions,
  services: Services,
): () => Promise<void> {
  const { store, world, metrics, log, photos, billing } = services;
  const stopSweeping = startDailySweeps({
    store,
    now: world.now,
    async sweepOtherData(accountId, signal) {
      if (await sweepWebhookAccount(store, accountId)) metrics.rowsSwept.inc({ kind: 'webhook_account' });
      const swept = await photos?.sweep(accountId, signal);
      metrics.rowsSwept.inc({ kind: 'upload' }, swept?.uploads ?? 0);
      metrics.rowsSwept.inc({ kind: 'photo' }, swept?.photos ?? 0);
    },
    onRemoved: (removed) => {
      for (const [kind, rows] of sweptRowCounts(removed)) metrics.rowsSwept.inc({ kind }, rows);
    },
    onBug: (error) => {
      if (!(error instanceof StoreUnavailable)) onBug(error, 'sweep');
    },
  });
  const stopBilling = billing
    ? startBillingSweeps(billing, (error) => {
        if (!(error instanceof StoreUnavailable)) onBug(error, 'billing');
      })
    : async () => {};
  const stopSilences = startSilenceSearches(services, (error) => {
    if (!(error instanceof StoreUnavailable)) onBug(error, 'silent devices');
  });
  const stopSteps = runOnlineSteps({
    ...where,
    epoch: () => store.epoch(),
    now: world.now,
    setting: onlineSteps,
    log: (fields, message) => log.info(fields, message),
    setRows: (labels, rows) => metrics.onlineStepRows.set(labels, rows),
    onBug: (error) => onBug(error, 'online steps'),
  });
  const deliverer = new WebhookDeliverer({
    store,
    world,
    roundMs: webhookRoundMs,
    secrets: services.webhookSecrets,
    allowed: services.webhookTargets,
    onAttempt: (outcome) => metrics.webhookTries.inc({ outcome }),
    onRound: ({ active, failing }) => {
      metrics.webhookEndpoints.set({ state: 'active' }, active);
      metrics.webhookEndpoints.set({ state: 'failing' }, failing);
    },
    onBug: (error) => {
      if (error instanceof StoreUnavailable) return log.warn({ err: error }, 'webhooks wait for the database');
      log.error({ err: error }, 'a webhook was not delivered');
      onBug(error, 'webhooks');
    },
  });
  if (sendsWebhooks) deliverer.start();
  return async () => {
    await Promise.all([stopSweeping(), stopBilling(), stopSilences(), stopSteps(), deliverer.stop()]);
  };
}
