/** The inspector: developer tools read a desk's engine through it. The inspector's code loads once the engine is open. */
import type { GembaOptions } from '../../client.ts';

type Inspector = NonNullable<GembaOptions['inspector']>;

/**
 * Attaches the newest engine once the inspector's code has loaded. Loads the code again after a failure. In Chromium
 * 143 each repeat fails until the page reloads, but in other browsers a repeat can succeed.
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
