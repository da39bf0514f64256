/** Says how a meeting of two phones ended, as far as both phones show the same. */
import type { OutcomeWords } from './meeting-parts.tsx';

type CommonKind = 'lost' | 'full' | 'other_server' | 'too_new' | 'odd' | 'no_network';

export const commonLooks: Record<CommonKind, Pick<OutcomeWords, 'look' | 'icon'>> = {
  lost: { look: 'warn', icon: 'offline' },
  full: { look: 'warn', icon: 'stop' },
  other_server: { look: 'bad', icon: 'cross' },
  too_new: { look: 'warn', icon: 'stop' },
  odd: { look: 'warn', icon: 'stop' },
  no_network: { look: 'warn', icon: 'offline' },
};

/** Has all ends but `done`, which each side tells apart further. */
export const commonEnds = {
  lost: 'lost',
  full: 'full',
  other_server: 'other_server',
  too_new: 'too_new',
  busy: 'odd',
  malformed: 'odd',
} as const;
