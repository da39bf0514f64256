/** Components for the hand-over's screens on both phones: one step at a time, and then the outcome. */
import './meeting.css';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { QrCode } from '../devices/qr-code.tsx';

/** Shows one step. A new step scrolls to the top and focuses its heading, so that screen readers begin there. */
export function MeetingStep({ title, children }: { title: string; children: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, [title]);
  return (
    <section class="card stack meeting-step">
      <h2 ref={heading} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </section>
  );
}

export function MeetingCode({ text, label }: { text: string; label: string }) {
  return (
    <div class="meeting-code">
      <QrCode text={text} label={label} />
    </div>
  );
}

export interface OutcomeContent {
  look: 'good' | 'warn' | 'bad';
  icon: IconName;
  title: string;
  /** Says how much was handed over, a line for each figure. */
  lines: string[];
  why: string;
}

export function OutcomeView({ words, children }: { words: OutcomeContent; children: ComponentChildren }) {
  const { look, icon, title, lines, why } = words;
  return (
    <MeetingStep title={title}>
      <div class={`meeting-outcome meeting-${look}`} role="status">
        <Icon name={icon} size={48} />
        <div class="meeting-lines">
          {lines.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </div>
      </div>
      <p>{why}</p>
      {children}
    </MeetingStep>
  );
}
