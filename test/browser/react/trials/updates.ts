/** 1,000 updates under StrictMode. A tree of costly readers mounts in slices now and then, and the engine goes on between them. */
import { createElement, startTransition, useLayoutEffect, useState, type ReactNode } from 'react';
import { GembaProvider, useMap, useMaps } from '../../../../client/entries/react.ts';
import { mount, openMemoryEngine, until } from './harness.ts';

const rounds = 5;
const updatesPerRound = 200;
/** A busy machine may mount without an update in between. */
const moreMountsMax = 50;
const costlyReaders = 12;
/** React yields after 5 ms, so that each slice renders two of these. */
const costlyRenderMs = 3;

type Screen = 'two readers' | 'none' | 'costly readers';

export interface UpdatesSeen {
  /** The commits in which readers showed different names. */
  torn: string[];
  commits: number;
  /** How many different names were shown. */
  names: number;
  /** The renders of a costly reader before which the map had changed since the first of them rendered. */
  changesWithinRenders: number;
}

export async function thousandUpdates(): Promise<UpdatesSeen> {
  const gemba = await openMemoryEngine();
  const { map_id: mapId } = await gemba.createMap({ name: 'name 0' });
  await gemba.createMap({ name: 'another' });
  const torn: string[] = [];
  const names = new Set<string>();
  const seen = { commits: 0, changesWithinRenders: 0 };
  let updates = 0;
  let updatesAtFirst = 0;

  /** Runs in a commit after all of its changes are in the document. */
  const look = () => {
    const shown = new Set(shownNames());
    seen.commits += 1;
    for (const name of shown) names.add(name);
    if (shown.size > 1) torn.push([...shown].join(' and '));
  };
  const Shown = ({ name }: { name: string | undefined }) => {
    useLayoutEffect(look);
    return createElement('p', { 'data-reader': '' }, name);
  };
  const ByMap = () => createElement(Shown, { name: useMap(mapId)?.name });
  const ByList = () => createElement(Shown, { name: useMaps()?.find(({ id }) => id === mapId)?.name });
  const Costly = ({ index }: { index: number }) => {
    const name = useMap(mapId)?.name;
    if (index === 0) updatesAtFirst = updates;
    else if (updates !== updatesAtFirst) seen.changesWithinRenders += 1;
    const end = performance.now() + costlyRenderMs;
    while (performance.now() < end);
    return createElement(Shown, { name });
  };
  const readers: Record<Screen, ReactNode[]> = {
    'two readers': [createElement(ByMap, { key: 'map' }), createElement(ByList, { key: 'list' })],
    none: [],
    'costly readers': Array.from({ length: costlyReaders }, (_, index) => createElement(Costly, { index, key: index })),
  };
  let show = (_screen: Screen): void => {};
  const Screens = (): ReactNode => {
    const [screen, setScreen] = useState<Screen>('none');
    show = (next) => startTransition(() => setScreen(next));
    return readers[screen];
  };
  const shownNames = () => [...document.querySelectorAll('[data-reader]')].map((reader) => reader.textContent);
  const isShown = (screen: Screen) => shownNames().length === readers[screen].length;
  const untilShown = (screen: Screen) => until(() => isShown(screen));
  const update = async () => {
    await gemba.updateMap(mapId, { name: `name ${updates + 1}` });
    updates += 1;
  };
  const updateUntil = async (holds: () => boolean) => {
    while (!holds()) await update();
  };

  const { root } = mount(createElement(GembaProvider, { gemba }, createElement(Screens)));
  await until(() => String(show).includes('startTransition'));
  const mountCostlyReaders = async () => {
    show('costly readers');
    // Each update while they are mounted would render all of them.
    await updateUntil(() => isShown('costly readers'));
    await until(() => shownNames().every((name) => name === `name ${updates}`));
  };
  const showAlone = async (screen: Screen) => {
    show(screen);
    await untilShown(screen);
  };
  for (let round = 1; round <= rounds; round++) {
    await mountCostlyReaders();
    await showAlone('two readers');
    await updateUntil(() => updates >= round * updatesPerRound);
    await showAlone('none');
  }
  for (let more = 0; more < moreMountsMax && seen.changesWithinRenders === 0; more++) {
    await mountCostlyReaders();
    await showAlone('none');
  }
  root.unmount();
  await gemba.close();
  return { ...seen, torn, names: names.size };
}
