import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from '../ui/icon.tsx';
import { StatusPill } from '../ui/status-pill.tsx';
import { Link } from '../shell/router.tsx';
import { deskTexts } from '../text/desk.ts';
import { texts } from '../text/texts.ts';

interface RailProps {
  path: string;
  onHelp(): void;
}

/** The links to the app's sections, at the left edge of the desk. */
export function Rail({ path, onHelp }: RailProps) {
  const isAt = (section: string) => path === section || path.startsWith(`${section}/`);
  return (
    <header class="rail">
      <img class="rail-logo" src="/icons/icon.svg" alt={deskTexts.home} width="40" height="40" />
      <nav class="rail-nav" aria-label={texts.sections}>
        <RailLink href="/" icon="maps" isCurrent={path === '/' || isAt('/maps')}>
          {texts.maps.title}
        </RailLink>
        <RailLink href="/record" icon="record" isCurrent={path === '/record'}>
          {texts.record.title}
        </RailLink>
        <RailLink href="/devices" icon="device" isCurrent={isAt('/devices')}>
          {deskTexts.devices}
        </RailLink>
        <RailLink href="/account" icon="person" isCurrent={path === '/account'}>
          {deskTexts.account}
        </RailLink>
      </nav>
      <button type="button" class="rail-item" onClick={onHelp}>
        <Icon name="keyboard" />
        <span>{deskTexts.keys.title}</span>
      </button>
      <StatusPill />
    </header>
  );
}

interface RailLinkProps {
  href: string;
  icon: IconName;
  isCurrent: boolean;
  children: ComponentChildren;
}

function RailLink({ href, icon, isCurrent, children }: RailLinkProps) {
  return (
    <Link href={href} class="rail-item" aria-current={isCurrent ? 'page' : undefined}>
      <Icon name={icon} />
      <span>{children}</span>
    </Link>
  );
}
