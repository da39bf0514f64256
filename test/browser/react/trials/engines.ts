/** Engines that change, close and open while components are mounted. */
import { createElement, useLayoutEffect, type ReactNode } from 'react';
import type { Gemba, GembaOptions } from '../../../../client/client.ts';
import { GembaProvider, useMap, useMaps, useOpenedGemba } from '../../../../client/entries/react.ts';
import { counted, engineOptions, mount, openMemoryEngine, sum, until, untilText, type Mounted } from './harness.ts';

/** Returns what each commit showed while the provider gets another engine. */
export async function anotherEngine() {
  const engines = await Promise.all([openMemoryEngine(), openMemoryEngine()]);
  const id = crypto.randomUUID();
  await engines[0].createMap({ id, name: 'of the first' });
  await engines[1].createMap({ id, name: 'of the second' });
  const [first, second] = [counted(engines[0]), counted(engines[1])];
  const commits: string[] = [];
  const Reader = () => {
    const shown = `${useMap(id)?.name}, ${useMaps()?.map(({ name }) => name)}`;
    useLayoutEffect(() => void (commits.at(-1) === shown || commits.push(shown)));
    return shown;
  };
  const provide = (gemba: Gemba) => createElement(GembaProvider, { gemba }, createElement(Reader));
  const mounted = mount(provide(first.gemba));
  await until(() => commits.length === 1);
  mounted.show(provide(second.gemba));
  await until(() => commits.length === 2);
  await until(() => sum(first.live) === 0);
  const subscriptions = sum(second.live);
  mounted.root.unmount();
  await Promise.all(engines.map((engine) => engine.close()));
  return { commits, subscriptions };
}

/** Closes the engine below mounted components, and renders them once more. */
export async function closedEngine() {
  const gemba = await openMemoryEngine();
  await gemba.createMap({ name: 'Press line' });
  const Reader = ({ mark }: { mark: string }) => `${mark} ${useMaps()?.map(({ name }) => name)}`;
  const provide = (mark: string) => createElement(GembaProvider, { gemba }, createElement(Reader, { mark }));
  const mounted = mount(provide('open:'));
  await untilText(mounted, 'open: Press line');
  await gemba.close();
  mounted.show(provide('closed:'));
  await until(() => mounted.container.textContent?.startsWith('closed:') ?? false);
  const shown = mounted.container.textContent;
  mounted.root.unmount();
  return { shown, errors: mounted.errors };
}

interface Opener {
  mounted: Mounted;
  /** The names of the engines in the order of their openings. */
  opened: string[];
  /** The engines that the hook returned. */
  engines: Gemba[];
  view(options: GembaOptions): ReactNode;
}

/** Components that open an engine and show its name once it is open. */
function opener(): Opener {
  const opened: string[] = [];
  const engines: Gemba[] = [];
  const View = ({ options }: { options: GembaOptions }) => {
    const gemba = useOpenedGemba({ onBegun: () => opened.push(options.name), ...options });
    if (gemba && !engines.includes(gemba)) engines.push(gemba);
    return gemba ? `(${options.name} ${options.token ?? ''})` : 'opens';
  };
  const view = (options: GembaOptions) => createElement(View, { options });
  return { mounted: mount(null), opened, engines, view };
}

const isClosed = (gemba: Gemba): Promise<boolean> =>
  gemba.createMap({ name: 'late' }).then(
    () => false,
    (error: { code?: string }) => error.code === 'closed',
  );

/** On IndexedDB: two components share an engine, one of them unmounts, then the other. */
export async function openedOnce() {
  const { mounted, opened, engines, view } = opener();
  const options = engineOptions({ name: 'once' });
  const views = (count: number) =>
    Array.from({ length: count }, (_, key) => createElement('p', { key }, view(options)));
  mounted.show(views(2));
  await untilText(mounted, '(once )(once )');
  mounted.show(views(1));
  await untilText(mounted, '(once )');
  const closedWhileHeld = await isClosed(engines[0]!);
  mounted.show(null);
  await untilText(mounted, '');
  let isEnded = false;
  // The engine closes in the next task.
  await until(() => {
    void isClosed(engines[0]!).then((closed) => (isEnded = closed));
    return isEnded;
  });
  mounted.root.unmount();
  return { opened, engines: engines.length, closedWhileHeld, errors: mounted.errors };
}

/** On IndexedDB: the same name with another token, and then another name. */
export async function otherOptions() {
  const { mounted, opened, engines, view } = opener();
  const shown: string[] = [];
  const observer = new MutationObserver(() => shown.push(mounted.container.textContent ?? ''));
  observer.observe(mounted.container, { childList: true, characterData: true, subtree: true });
  const fetch = () => Promise.reject(new TypeError('no network'));
  for (const more of [
    { name: 'one', token: 'a' },
    { name: 'one', token: 'b' },
    { name: 'two', token: 'b' },
  ]) {
    mounted.show(view(engineOptions({ ...more, fetch })));
    await untilText(mounted, `(${more.name} ${more.token})`);
  }
  const closed = await Promise.all(engines.map(isClosed));
  observer.disconnect();
  mounted.root.unmount();
  return { opened, shown, closed };
}

/** An engine whose first opening fails, and one whose name another component holds. */
export async function failedOpenings() {
  const { mounted, view } = opener();
  const name = 'refused';
  let openings = 0;
  const onBegun = () => {
    openings += 1;
    if (openings === 1) throw new Error('not now');
  };
  mounted.show(view(engineOptions({ name, onBegun })));
  await until(() => mounted.errors.length > 0);
  mounted.container.querySelector('button')?.click();
  await untilText(mounted, '(refused )');
  const held = opener();
  held.mounted.show(view(engineOptions({ name, kind: 'desk' })));
  await until(() => held.mounted.errors.length > 0);
  const shownMeanwhile = mounted.container.textContent;
  for (const { root } of [held.mounted, mounted]) root.unmount();
  return { refused: mounted.errors, held: held.mounted.errors, shownMeanwhile };
}
