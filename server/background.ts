/** The work of a server process that no request asks for: the daily sweeps and the online steps. */
import type { Services } from './http/services.ts';
import { serveOnlineSteps, type OnlineStepSetting, type StepLocation } from './store/online/serve-steps.ts';
import { startDailySweeps, sweptRowCounts } from './store/retention.ts';
import { StoreUnavailable } from './store/store.ts';

interface BackgroundOptions extends Omit<StepLocation, 'epoch'> {
  onlineSteps?: OnlineStepSetting;
  onBug?: (error: unknown, requestId: string) => void;
}

/** The returned function stops the work and resolves once none is under way. */
export function startBackgroundWork(
  { onlineSteps, onBug = () => {}, ...where }: BackgroundOptions,
  { store, world, metrics, log, photos }: Services,
): () => Promise<void> {
  const stopSweeping = startDailySweeps({
    store,
    now: world.now,
    sweepMore:
      photos &&
      (async (accountId, signal) => {
        const swept = await photos.sweep(accountId, signal);
        metrics.rowsSwept.inc({ kind: 'upload' }, swept.uploads);
        metrics.rowsSwept.inc({ kind: 'photo' }, swept.photos);
      }),
    onRemoved: (removed) => {
      for (const [kind, rows] of sweptRowCounts(removed)) metrics.rowsSwept.inc({ kind }, rows);
    },
    onBug: (error) => {
      if (!(error instanceof StoreUnavailable)) onBug(error, 'sweep');
    },
  });
  const stopSteps = serveOnlineSteps({
    ...where,
    epoch: () => store.epoch(),
    now: world.now,
    setting: onlineSteps,
    log: (fields, message) => log.info(fields, message),
    setRows: (labels, rows) => metrics.onlineStepRows.set(labels, rows),
    onBug: (error) => onBug(error, 'online steps'),
  });
  return async () => {
    await Promise.all([stopSweeping(), stopSteps()]);
  };
}
