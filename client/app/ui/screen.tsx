/** The frame of each phone screen. After a navigation, the heading takes the focus. */
import type { ComponentChildren } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { untilNextPaint } from '../shell/engine.tsx';
import { Link, navigationCount } from '../shell/router.tsx';
import { texts } from '../text/texts.ts';
import { Icon } from './icon.tsx';
import { PaneContext } from './pane.tsx';

interface ScreenProps {
  title: string;
  back?: string;
  actions?: ComponentChildren;
  children: ComponentChildren;
}

export function Screen({ title, back, actions, children }: ScreenProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const pane = useContext(PaneContext);
  const isMain = pane?.isMain ?? true;
  useEffect(() => {
    if (isMain) document.title = `${title} · ${texts.app}`;
  }, [title, isMain]);
  useEffect(() => {
    if (isMain && navigationCount > 0) void untilNextPaint().then(() => focusHeading(heading.current));
  }, []);
  return (
    <ScreenFrame>
      <div class="screen-head">
        {back && pane?.hasBack !== false && (
          <Link href={back} class="button button-quiet button-icon" aria-label={texts.back}>
            <Icon name="back" />
          </Link>
        )}
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {actions}
        {pane?.controls}
      </div>
      {children}
    </ScreenFrame>
  );
}

/** Focuses the heading unless a control of its screen has the focus: a person may have moved the focus by now. */
function focusHeading(heading: HTMLElement | null): void {
  if (!heading?.closest('.screen')?.contains(document.activeElement)) heading?.focus({ preventScroll: true });
}

/** The frame of a screen without its heading, for a screen that has nothing to show yet. */
export function ScreenFrame({ children }: { children?: ComponentChildren }) {
  const pane = useContext(PaneContext);
  // The first screen has no animation, since the frames of an animation would delay the opening of the engine.
  const [isEntering] = useState(navigationCount > 0);
  if (pane) return <div class="screen">{children}</div>;
  return (
    <main class={isEntering ? 'screen screen-entering' : 'screen'} id="content">
      {children}
    </main>
  );
}
