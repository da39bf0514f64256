/** The ends of a meeting (one connection of two phones) that both phones show in the same way. */
import type { OutcomeContent } from './meeting-parts.tsx';

type CommonOutcomeKind = 'lost' | 'full' | 'other_server' | 'too_new' | 'odd' | 'no_network';

export const commonOutcomeLooks: Record<CommonOutcomeKind, Pick<OutcomeContent, 'look' | 'icon'>> = {
  lost: { look: 'warn', icon: 'offline' },
  full: { look: 'warn', icon: 'stop' },
  other_server: { look: 'bad', icon: 'cross' },
  too_new: { look: 'warn', icon: 'stop' },
  odd: { look: 'warn', icon: 'stop' },
  no_network: { look: 'warn', icon: 'offline' },
};

/**
 * Maps each reason why a channel ended to the outcome that both phones show. The reason `done` is missing, since the
 * two phones show different outcomes for it.
 */
export const commonOutcomeByEnd = {
  lost: 'lost',
  full: 'full',
  other_server: 'other_server',
  too_new: 'too_new',
  busy: 'odd',
  malformed: 'odd',
} as const;
