/**
 * The inspector of a desk: the devtools read the engine through it. The inspector's code loads once the engine is open.
 */
import type { GembaOptions } from '../../client.ts';

type Inspector = NonNullable<GembaOptions['inspector']>;

/**
 * Loads the inspector's code at each call of `attach`, then attaches the engine if no newer call has come. After a
 * failed load, loads again. In Chromium 143 each further load fails until the page reloads; in other browsers it can
 * succeed.
 */
export function lazyInspector(load: () => Promise<Inspector>, retryMs = 10_000): Inspector {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let latest: Parameters<Inspector['attach']> | undefined;
  const attach: Inspector['attach'] = (...engine) => {
    clearTimeout(timer);
    latest = engine;
    load().then(
      (inspector) => latest === engine && inspector.attach(...engine),
      () => {
        if (latest === engine) timer = setTimeout(() => attach(...engine), retryMs);
      },
    );
  };
  return { attach };
}

export const inspector = lazyInspector(async () => {
  const { appInspector } = await import('../shell/devtools/app-inspector.ts');
  return appInspector;
});
