/** The frame of each phone screen. After a navigation, the heading takes the focus. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Link, navigationCount } from '../shell/router.tsx';
import { texts } from '../text/texts.ts';
import { Icon } from './icon.tsx';

interface ScreenProps {
  title: string;
  back?: string;
  actions?: ComponentChildren;
  children: ComponentChildren;
}

export function Screen({ title, back, actions, children }: ScreenProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${texts.app}`;
  }, [title]);
  useEffect(() => {
    if (navigationCount > 0) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <main class="screen" id="content">
      <div class="screen-head">
        {back && (
          <Link href={back} class="button button-quiet button-icon" aria-label={texts.back}>
            <Icon name="back" />
          </Link>
        )}
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {actions}
      </div>
      {children}
    </main>
  );
}
