/** The phone's app: a frame with the sync status and the sections, and in it the screen of each path. */
import './phone.css';
import './record/recorder.css';
import './maps/map.css';
import './stages/stages.css';
import './forms.css';
import './sync/sync.css';
import './runs/runs.css';
import './runs/compare.css';
import type { ComponentChildren } from 'preact';
import { EmptyState } from '../ui/empty-state.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { Screen } from '../ui/screen.tsx';
import { StatusPill } from '../ui/status-pill.tsx';
import { useGemba, useValue } from '../shell/engine.tsx';
import { Link, matchPath, usePath } from '../shell/router.tsx';
import { texts } from '../text/texts.ts';
import { AttentionScreen } from './sync/attention.tsx';
import { BinScreen } from './maps/bin.tsx';
import { CompareScreen } from './runs/compare.tsx';
import { DevicesScreen } from './devices/devices.tsx';
import { KeysScreen } from './devices/keys.tsx';
import { MapScreen } from './maps/map.tsx';
import { MapsScreen } from './maps/maps.tsx';
import { PairDeviceScreen } from './devices/pair-device.tsx';
import { RecordScreen } from './record/recorder.tsx';
import { RunScreen } from './runs/run.tsx';
import { RunsScreen, SelectRunsScreen } from './runs/runs.tsx';
import { SyncScreen } from './sync/sync.tsx';
import { phoneTexts } from '../text/phone.ts';

export function Phone() {
  const path = usePath();
  return (
    <div class="phone">
      <a class="skip" href="#content">
        {texts.skip}
      </a>
      <header class="phone-top">
        <span class="phone-brand">{texts.app}</span>
        <StatusPill />
      </header>
      <WhenOpen path={path}>{screenAt(path)}</WhenOpen>
      <nav class="phone-nav" aria-label={texts.sections}>
        <SectionLink href="/" icon="maps" current={path === '/' || path.startsWith('/maps')}>
          {texts.maps.title}
        </SectionLink>
        <SectionLink href="/record" icon="record" current={path === '/record'}>
          {texts.record.title}
        </SectionLink>
        <SectionLink href="/sync" icon="sync" current={/^\/(sync|attention|devices)/.test(path)}>
          {phoneTexts.sync.title}
        </SectionLink>
      </nav>
    </div>
  );
}

/** Holds back a view until the engine is open, except the views that can show data earlier. */
function WhenOpen({ path, children }: { path: string; children: ComponentChildren }) {
  const status = useValue(useGemba().status$);
  return status || hasEarlyData(path) ? children : <main class="screen" id="content" />;
}

const hasEarlyData = (path: string): boolean => path !== '/maps/bin' && /^\/(record|maps\/[^/]+)?$/.test(path);

/** Returns the screen of a path. A `key` gives each map, run and selection its own screen with fresh state. */
function screenAt(path: string) {
  if (path === '/' || path === '/maps') return <MapsScreen />;
  if (path === '/record') return <RecordScreen />;
  if (path === '/maps/bin') return <BinScreen />;
  if (path === '/sync') return <SyncScreen />;
  if (path === '/attention') return <AttentionScreen />;
  if (path === '/devices') return <DevicesScreen />;
  if (path === '/devices/keys') return <KeysScreen />;
  if (path === '/devices/pair/watch') return <PairDeviceScreen key="watch" kind="wearable" />;
  if (path === '/devices/pair/phone') return <PairDeviceScreen key="phone" kind="phone" />;
  const map = matchPath('/maps/:mapId', path);
  if (map) return <MapScreen key={map.mapId} mapId={map.mapId} />;
  return runScreenAt(path) ?? <NotFound />;
}

function runScreenAt(path: string) {
  const runs = matchPath('/maps/:mapId/runs', path);
  if (runs) return <RunsScreen key={path} mapId={runs.mapId} />;
  const run = matchPath('/maps/:mapId/runs/:runId', path);
  if (run) return <RunScreen key={path} mapId={run.mapId} runId={Number(run.runId)} />;
  const all = matchPath('/maps/:mapId/choose', path);
  if (all) return <SelectRunsScreen key={path} mapId={all.mapId} initialIds={[]} />;
  const selected = matchPath('/maps/:mapId/choose/:runs', path);
  if (selected) return <SelectRunsScreen key={path} mapId={selected.mapId} initialIds={parseIds(selected.runs)} />;
  const compared = matchPath('/maps/:mapId/compare/:runs', path);
  if (compared) return <CompareScreen key={path} mapId={compared.mapId} ids={parseIds(compared.runs)} />;
  return undefined;
}

/** Reads ids from a path: `7,9` → `[7, 9]`. It leaves out text that is not an id. */
const parseIds = (list: string): number[] =>
  [...new Set(list.split(',').map(Number))].filter((id) => Number.isSafeInteger(id) && id > 0);

interface SectionLinkProps {
  href: string;
  icon: IconName;
  current: boolean;
  children: ComponentChildren;
}

function SectionLink({ href, icon, current, children }: SectionLinkProps) {
  return (
    <Link href={href} class="phone-section" aria-current={current ? 'page' : undefined}>
      <Icon name={icon} />
      <span>{children}</span>
    </Link>
  );
}

function NotFound() {
  return (
    <Screen title={texts.notFound.title}>
      <EmptyState text={texts.notFound.text}>
        <Link href="/" class="button button-primary">
          {texts.notFound.home}
        </Link>
      </EmptyState>
    </Screen>
  );
}
