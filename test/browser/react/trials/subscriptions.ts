/** How many subscriptions components hold together, and when they end. */
import { createElement, Suspense, useState, type ReactNode } from 'react';
import {
  GembaProvider,
  useCustody,
  useMap,
  useMaps,
  useObservable,
  useStatus,
} from '../../../../client/entries/react.ts';
import { counted, mount, nextTask, openMemoryEngine, sum, until, untilText } from './harness.ts';

const readers = 20;

/** Mounts 20 readers, replaces them by 20 others in one commit, and unmounts these. */
export async function sharedSubscriptions() {
  const engine = await openMemoryEngine();
  const { map_id: mapId } = await engine.createMap({ name: 'Press line' });
  const { gemba, live, total } = counted(engine);
  const Reader = ({ text }: { text: string }) => {
    const values = [useMaps(), useMap(mapId), useStatus(), useCustody('none'), useObservable(gemba.maps$)];
    return values.every((value) => value !== undefined) ? text : '';
  };
  const screen = (text: string): ReactNode =>
    Array.from({ length: readers }, (_, index) => createElement(Reader, { key: `${text}${index}`, text }));
  const mounted = mount(createElement(GembaProvider, { gemba }, screen('a')));
  await untilText(mounted, 'a'.repeat(readers));
  mounted.show(createElement(GembaProvider, { gemba }, screen('b')));
  await untilText(mounted, 'b'.repeat(readers));
  await nextTask();
  const whileMounted = { live: Object.values(live), total: Object.values(total) };
  mounted.root.unmount();
  await until(() => sum(live) === 0);
  await engine.close();
  return { whileMounted, afterwards: Object.values(live) };
}

/** Mounts and unmounts a reader 100 times. */
export async function mountedAndUnmounted() {
  const engine = await openMemoryEngine();
  const { gemba, live, total } = counted(engine);
  let toggle = (): void => {};
  const Reader = () => String(useMaps()?.length);
  const Screen = () => {
    const [isOn, setOn] = useState(true);
    toggle = () => setOn((was) => !was);
    return isOn ? createElement(Reader) : 'off';
  };
  const mounted = mount(createElement(GembaProvider, { gemba }, createElement(Screen)));
  let liveMax = 0;
  for (let round = 0; round < 100; round++) {
    await untilText(mounted, '0');
    liveMax = Math.max(liveMax, sum(live));
    toggle();
    await untilText(mounted, 'off');
    await until(() => sum(live) === 0);
    toggle();
  }
  mounted.root.unmount();
  await until(() => sum(live) === 0);
  await engine.close();
  return { liveMax, total: sum(total) };
}

/** A component that renders and then waits for ever, so that its render is never committed. */
export async function neverCommitted() {
  const engine = await openMemoryEngine();
  const { gemba, live, total } = counted(engine);
  const forever = new Promise<never>(() => {});
  const Waiting = (): ReactNode => {
    useMaps();
    throw forever;
  };
  const startedMs = performance.now();
  const waiting = createElement(Suspense, { fallback: 'waits' }, createElement(Waiting));
  const mounted = mount(createElement(GembaProvider, { gemba }, waiting));
  await untilText(mounted, 'waits');
  const began = sum(total);
  await until(() => sum(live) === 0);
  const endedMs = performance.now() - startedMs;
  mounted.root.unmount();
  await engine.close();
  return { began, endedMs };
}

/** Components that make their observable anew in each render. */
export async function observablesOfEachRender() {
  const gemba = await openMemoryEngine();
  const { map_id: mapId } = await gemba.createMap({ name: 'name 0' });
  let renders = 0;
  const Endless = () => {
    renders += 1;
    return String(useObservable(gemba.custody$('none')));
  };
  const endless = mount(createElement(Endless));
  await until(() => endless.errors.length > 0);
  endless.root.unmount();
  const Wasteful = () => String(useObservable(gemba.map$(mapId))?.name);
  const wasteful = mount(createElement(Wasteful));
  for (let update = 1; update <= 150; update++) {
    await gemba.updateMap(mapId, { name: `name ${update}` });
    await untilText(wasteful, `name ${update}`);
  }
  wasteful.root.unmount();
  await gemba.close();
  return { endless: endless.errors, renders, wasteful: wasteful.errors };
}
