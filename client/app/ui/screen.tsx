/** The frame of a phone's screen: a heading that takes the focus when one comes here, and the content. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Link, travels } from '../shell/router.tsx';
import { texts } from '../text/texts.ts';
import { Icon } from './icon.tsx';

interface ScreenProps {
  title: string;
  /** Where the arrow leads. */
  back?: string;
  /** On the right of the heading. */
  actions?: ComponentChildren;
  children: ComponentChildren;
}

export function Screen({ title, back, actions, children }: ScreenProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${texts.app}`;
  }, [title]);
  useEffect(() => {
    if (travels > 0) heading.current?.focus({ preventScroll: true });
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
