/** The inspector of a desk. Its code loads once the engine has opened. */
import type { GembaOptions } from '../../client.ts';

type Inspector = NonNullable<GembaOptions['inspector']>;

/**
 * Attaches the latest engine once the inspector has loaded. Tries again after a failed load: Chromium 143 repeats the
 * failure until the page reloads, but other browsers may load the code.
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
