import type { IntegrationProblemCode } from '../problems/integration-problem-kinds.ts';
import type { ProblemMeaning } from './problem-meaning.ts';

export const integrationProblemMeanings: Record<IntegrationProblemCode, ProblemMeaning> = {
  cursor_expired: {
    meaning:
      'Events after this cursor are older than 30 days, or the server was restored from a backup, which took back changes.',
    remedy: 'Read the records again, and go on at `oldest_cursor`.',
    detail:
      'Events after this cursor are older than 30 days and were removed. Read the records again, then go on at `oldest_cursor`.',
    members: { oldest_cursor: 'MC41ZTJiOWQwNA' },
  },
};
