/** Where the work is, in words: on this device, on its way, safe on the server; and what keeps it. */
import { useContext } from 'preact/hooks';
import type { Status } from '../../client.ts';
import { FaceContext, useGemba, useValue } from '../engine.tsx';
import { Link } from '../router.tsx';
import { texts } from '../texts.ts';
import { Icon, type IconName } from './icon.tsx';

interface Told {
  look: 'good' | 'plain' | 'warn' | 'bad';
  icon: IconName;
  text: string;
}

type Words = typeof texts.statusShort;

export function toldOf({ phase, pending, attention, error }: Status, of: Words): Told {
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
  const of: Words = useContext(FaceContext) === 'watch' ? texts.statusShort : texts.status;
  const status = useValue(useGemba().status$);
  const told: Told = status ? toldOf(status, of) : { look: 'plain', icon: 'sync', text: of.opening };
  const reason = status?.phase === 'idle' || status?.phase === 'syncing' ? undefined : status?.error?.detail;
  const inside = (
    <>
      <Icon name={told.icon} size={20} />
      <span>{told.text}</span>
      {reason && <span class="heard">. {reason}</span>}
    </>
  );
  return (
    <p class={`pill pill-${told.look}`} role="status" aria-label={of.label} title={reason}>
      {of === texts.statusShort ? (
        inside
      ) : (
        <Link class="pill-way" href={status && status.attention > 0 ? '/attention' : '/sync'}>
          {inside}
        </Link>
      )}
    </p>
  );
}
