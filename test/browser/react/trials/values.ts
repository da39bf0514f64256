/** Reads what hooks return in their first render, and in renders without a change. */
import { createElement, useEffect, useState } from 'react';
import { EMPTY, NEVER } from 'rxjs';
import type { Gemba } from '../../../../client/client.ts';
import {
  GembaProvider,
  useAttention,
  useCustody,
  useDeletedMaps,
  useMap,
  useMaps,
  useObservable,
  useRecording,
  useRun,
  useRuns,
  useStatus,
} from '../../../../client/entries/react.ts';
import { counted, mount, openEngine, openMemoryEngine, sum, until } from './harness.ts';

interface Ids {
  map_id: string;
  run_id: number;
  recording_session_id: string;
}

/** A device with a map, a run, a deleted map and a recording under way. */
async function fill(gemba: Gemba): Promise<Ids> {
  const recording = await gemba.startRecording({ newMap: { name: 'Press line' } });
  await recording.step({ stage_name: 'Load' });
  const ids = await recording.finish();
  const { map_id } = await gemba.createMap({ name: 'Old line' });
  await gemba.deleteMap(map_id);
  await gemba.startRecording({ mapId: ids.map_id });
  return ids;
}

function useAll({ map_id, run_id, recording_session_id }: Ids) {
  return {
    maps: useMaps(),
    deletedMaps: useDeletedMaps(),
    map: useMap(map_id),
    runs: useRuns(map_id),
    run: useRun(run_id),
    status: useStatus(),
    recording: useRecording(),
    attention: useAttention(),
    custody: useCustody(recording_session_id),
  };
}

/** Returns the first and the last values of each hook, on the browser's IndexedDB. */
export async function firstAndLastValues() {
  const gemba = await openEngine();
  const ids = await fill(gemba);
  const renders: ReturnType<typeof useAll>[] = [];
  const Reader = () => {
    const all = useAll(ids);
    renders.push(all);
    return null;
  };
  const { root } = mount(createElement(GembaProvider, { gemba }, createElement(Reader)));
  await until(() => renders.at(-1)?.custody !== undefined && renders.at(-1)?.attention !== undefined);
  root.unmount();
  await gemba.close();
  const summary = ({
    maps,
    deletedMaps,
    map,
    runs,
    run,
    status,
    recording,
    attention,
    custody,
  }: (typeof renders)[0]) => ({
    maps: maps?.map(({ name }) => name),
    deletedMaps: deletedMaps?.map(({ name }) => name),
    map: map?.stages.map(({ stage }) => stage),
    runs: runs?.map(({ id }) => id === ids.run_id),
    run: run?.steps.map(({ stage_name }) => stage_name),
    pending: status?.pending,
    recording: recording?.map_id === ids.map_id,
    attention: attention?.length,
    custody,
  });
  return { first: summary(renders[0]!), last: summary(renders.at(-1)!) };
}

/** Counts the different objects that each hook returned in 50 renders. */
export async function objectsInFiftyRenders() {
  const gemba = await openMemoryEngine();
  const ids = await fill(gemba);
  const returned: Record<string, Set<unknown>> = {};
  let renders = 0;
  let effects = 0;
  const Reader = () => {
    const [count, setCount] = useState(0);
    // Without a value each render would make another list.
    const initial = useObservable(NEVER, [] as string[]);
    const all = { ...useAll(ids), initial };
    // Before it is loaded, custody and attention are undefined.
    const isLoaded = all.custody !== undefined && all.attention !== undefined;
    useEffect(() => {
      if (isLoaded && count < 50) setCount(count + 1);
    }, [count, isLoaded]);
    useEffect(() => void effects++, [initial]);
    if (isLoaded) {
      renders += 1;
      for (const [name, value] of Object.entries(all)) (returned[name] ??= new Set()).add(value);
    }
    return null;
  };
  const { root } = mount(createElement(GembaProvider, { gemba }, createElement(Reader)));
  await until(() => renders >= 50);
  root.unmount();
  await gemba.close();
  return { objects: Object.fromEntries(Object.entries(returned).map(([name, { size }]) => [name, size])), effects };
}

/** Returns what hooks without ids return, and what they subscribe to. */
export async function withoutIds() {
  const { gemba, total } = counted(await openMemoryEngine());
  const returned = new Set<unknown>();
  let renders = 0;
  const Reader = () => {
    for (const value of [useMap(undefined), useRuns(undefined), useRun(undefined), useCustody(undefined)])
      returned.add(value);
    renders += 1;
    return String(useObservable(EMPTY, 'ended'));
  };
  const { container, root } = mount(createElement(GembaProvider, { gemba }, createElement(Reader)));
  await until(() => renders > 0 && container.textContent === 'ended');
  root.unmount();
  await gemba.close();
  return { returned: [...returned].map(String), subscriptions: sum(total) };
}
