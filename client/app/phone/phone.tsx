import './styles.css';
import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from '../ui/icon.tsx';
import { StatusPill } from '../ui/status-pill.tsx';
import { Link, matchPath, usePath } from '../shell/router.tsx';
import { texts } from '../text/texts.ts';
import { MapScreen } from './maps/map.tsx';
import { MapsScreen } from './maps/maps.tsx';
import { RecordScreen } from './record/record-screen.tsx';
import { ActiveRecordingBar } from './record/active-recording-bar.tsx';
import { phoneTexts } from '../text/phone.ts';
import { useOnDemandModule } from './use-on-demand.tsx';

export function Phone() {
  const path = usePath();
  return (
    <div class="phone">
      <a class="skip" href="#content">
        {texts.skip}
      </a>
      <header class="phone-top">
        <span class="phone-brand">{texts.app}</span>
        <a class="phone-to-desk" href={`/desk${path === '/' ? '' : path}`}>
          {phoneTexts.toDesk}
        </a>
        <StatusPill />
      </header>
      <ScreenAt path={path} />
      {path !== '/record' && <ActiveRecordingBar />}
      <nav class="phone-nav" aria-label={texts.sections}>
        <SectionLink href="/" icon="maps" current={path === '/' || path.startsWith('/maps')}>
          {texts.maps.title}
        </SectionLink>
        <SectionLink href="/record" icon="record" current={path === '/record'}>
          {texts.record.title}
        </SectionLink>
        <SectionLink href="/sync" icon="sync" current={/^\/(sync|attention|devices|account|carry)/.test(path)}>
          {phoneTexts.sync.title}
        </SectionLink>
      </nav>
    </div>
  );
}

/** Shows the screen of a path. Until on-demand.tsx is loaded, most paths have an empty screen. */
function ScreenAt({ path }: { path: string }) {
  const onDemand = useOnDemandModule();
  const earlyScreen = earlyScreenAt(path);
  if (earlyScreen) return earlyScreen;
  if (!onDemand) return <main class="screen" id="content" />;
  return onDemand.screenAt(path) ?? <onDemand.MissingPage />;
}

/** Returns the screen of a path if that screen works before the engine is open; otherwise undefined. */
function earlyScreenAt(path: string) {
  if (path === '/' || path === '/maps') return <MapsScreen />;
  if (path === '/record') return <RecordScreen />;
  const map = path === '/maps/bin' ? undefined : matchPath('/maps/:mapId', path);
  return map && <MapScreen key={map.mapId} mapId={map.mapId} />;
}

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
