/** The texts of the account screen, which a phone and a desk load on demand. */
import type { Plan } from '../../../client.ts';
import { countText, numberText } from '../format.ts';

export const accountTexts = {
  title: 'Account',
  name: 'Name',
  plan: 'Plan',
  plans: { free: 'Free', team: 'Team' } satisfies Record<Plan, string>,
  phones: 'Phones (each takes a seat)',
  /** `max` is null if there is no limit. */
  of: (count: number, max: number | null) =>
    max === null ? `${numberText(count)}, no limit` : `${numberText(count)} of ${numberText(max)}`,
  takesSeat: 'This computer is paired as a phone and takes a seat. Pair it again as a computer to free the seat.',
  unsent: 'Unsent work',
  pending: (changes: number) =>
    changes === 0
      ? 'All work of this device is on the server.'
      : `${countText(changes, 'change', 'changes')} only on this device`,
  unsentWhy:
    'If this device cannot reach the server any more, save its work as a file and open the file on another device.',
  import: 'Open a file',
  imported: (changes: number) =>
    changes === 0
      ? 'This device has the work of the file already.'
      : `${countText(changes, 'change', 'changes')} added`,
};
