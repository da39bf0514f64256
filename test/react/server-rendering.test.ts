/** The hooks in Node, as a server renders them. */
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { Observable } from 'rxjs';
import { expect, test } from 'vitest';
import type { Gemba } from '../../client/client.ts';
import {
  GembaProvider,
  useAttention,
  useCustody,
  useDeletedMaps,
  useMap,
  useMaps,
  useObservable,
  useOpenedGemba,
  useRecording,
  useRun,
  useRuns,
  useStatus,
} from '../../client/entries/react.ts';
import { device } from '../device/devices.ts';

const url = 'http://127.0.0.1:1';

test('[REACT-18] on a server each hook returns undefined or its initial, and subscribes to nothing', async () => {
  const gemba = await device({ url });
  const { map_id } = await gemba.createMap({ name: 'Press line' });
  const subscribed: string[] = [];
  const returned: unknown[] = [];
  const Reader = () => {
    const records = [useMaps(), useDeletedMaps(), useMap(map_id), useRuns(map_id), useRun(1)];
    returned.push(...records, useStatus(), useAttention(), useRecording(), useCustody('none'));
    return useObservable(notingSource(subscribed, 'own'), 'initial');
  };
  const noting = notingObservables(gemba, subscribed);
  const html = renderToString(createElement(GembaProvider, { gemba: noting }, createElement(Reader)));

  expect(html).toBe('initial');
  expect(returned).toEqual(Array(9).fill(undefined));
  expect(subscribed).toEqual([]);
});

test('[REACT-18] on a server useOpenedGemba opens nothing, and the provider shows its fallback', () => {
  let openings = 0;
  const App = () => {
    const gemba = useOpenedGemba({ name: 'server', url, onBegun: () => openings++ });
    return createElement(GembaProvider, { gemba, fallback: 'opens' }, 'children');
  };
  expect(renderToString(createElement(App))).toBe('opens');
  expect(openings).toBe(0);
});

test('[LIB-18] the provider says what to do with a promise', () => {
  const promise = Promise.resolve() as unknown as Gemba;
  const render = () => renderToString(createElement(GembaProvider, { gemba: promise }));
  expect(render).toThrow('GembaProvider got a promise. Give it the engine: await openGemba(options) before rendering');
});

const notingSource = (subscribed: string[], name: string) => new Observable<never>(() => void subscribed.push(name));

/** The engine with observables that note who subscribes. */
function notingObservables(gemba: Gemba, subscribed: string[]): Gemba {
  const noting = Object.entries(gemba).flatMap(([name, member]: [string, unknown]) => {
    if (!name.endsWith('$')) return [];
    const source$ = notingSource(subscribed, name);
    return [[name, typeof member === 'function' ? () => source$ : source$] as const];
  });
  return { ...gemba, ...Object.fromEntries(noting) };
}
