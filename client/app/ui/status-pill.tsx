/** Where the work is, in words: on this device, on its way, safe on the server; and what keeps it. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Status } from '../../client.ts';
import { useGemba, useValue } from '../shell/engine.tsx';
import { Link } from '../shell/router.tsx';
import { texts } from '../text/texts.ts';
import { Icon, type IconName } from './icon.tsx';

/** What lasts no longer is no news to those who hear it. */
const lastingMs = 1_000;

export interface Told {
  look: 'good' | 'plain' | 'warn' | 'bad';
  icon: IconName;
  text: string;
}

export function toldOf({ phase, pending, attention, error }: Status, of: Omit<typeof texts.status, 'label'>): Told {
  if (error && error.code.startsWith('storage')) return { look: 'bad', icon: 'stop', text: of.storage };
  if (phase === 'blocked') {
    return { look: 'bad', icon: 'stop', text: error?.code === 'unauthorized' ? of.unpaired : of.blocked };
  }
  if (attention > 0) return { look: 'bad', icon: 'stop', text: of.attention(attention) };
  if (phase === 'offline') {
    return { look: 'warn', icon: 'offline', text: pending > 0 ? of.offlinePending(pending) : of.offline };
  }
  if (phase === 'waiting') return { look: 'warn', icon: 'sync', text: of.waiting };
  if (pending > 0) {
    return phase === 'syncing'
      ? { look: 'plain', icon: 'sync', text: of.sending(pending) }
      : { look: 'plain', icon: 'device', text: of.pending(pending) };
  }
  // What it only asks the server is no news to anybody.
  return { look: 'good', icon: 'cloud', text: of.safe };
}

/** The reason follows, where there is one, as a title and for those who hear it. */
export function StatusPill() {
  const status = useValue(useGemba().status$);
  const told: Told = status
    ? toldOf(status, texts.status)
    : { look: 'plain', icon: 'sync', text: texts.status.opening };
  const reason = status?.phase === 'idle' || status?.phase === 'syncing' ? undefined : status?.error?.detail;
  return (
    <Pill told={told} reason={reason}>
      <Link class="pill-way" href={status && status.attention > 0 ? '/attention' : '/sync'}>
        <Icon name={told.icon} size={20} />
        <span>{told.text}</span>
        {reason && <span class="heard">. {reason}</span>}
      </Link>
    </Pill>
  );
}

interface PillProps {
  told: Told;
  reason?: string | undefined;
  children: ComponentChildren;
}

/** How many there are is there to be read, and not told: each tap and each batch of a long upload would be another word. */
export function Pill({ told: { look, icon, text }, reason, children }: PillProps) {
  const now = reason ? `${text}. ${reason}` : text;
  const [said, say] = useState(now);
  useEffect(() => {
    const timer = setTimeout(() => say(now), lastingMs);
    return () => clearTimeout(timer);
  }, [look === 'bad' ? now : look + icon]);
  return (
    <>
      <p class={`pill pill-${look}`} role="status" aria-live="off" aria-label={texts.status.label} title={reason}>
        {children}
      </p>
      <span class="heard" aria-live="polite">
        {said}
      </span>
    </>
  );
}
