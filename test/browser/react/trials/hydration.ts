/** A page that a server rendered. */
import { createElement, useEffect } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { GembaProvider, useCustody, useMaps, useObservable } from '../../../../client/entries/react.ts';
import { counted, openMemoryEngine, sum, untilText } from './harness.ts';

export async function hydratedPage() {
  const engine = await openMemoryEngine();
  await engine.createMap({ name: 'Press line' });
  const { gemba, live, total } = counted(engine);
  const commits: string[] = [];
  const Reader = () => {
    const shown = `${useMaps()?.length} ${useCustody('none')} ${useObservable(gemba.status$, 'initial') === 'initial'}`;
    useEffect(() => void (commits.at(-1) === shown || commits.push(shown)));
    return shown;
  };
  const page = createElement(GembaProvider, { gemba }, createElement(Reader));
  const html = renderToString(page);
  const subscriptionsOfServer = sum(total);
  const container = document.createElement('div');
  container.innerHTML = html;
  document.body.append(container);
  const mismatches: string[] = [];
  const root = hydrateRoot(container, page, { onRecoverableError: (error) => mismatches.push(String(error)) });
  await untilText({ container }, '1 device false');
  const subscriptions = Object.values(live);
  root.unmount();
  await engine.close();
  return { html, subscriptionsOfServer, mismatches, firstCommit: commits[0], subscriptions };
}
