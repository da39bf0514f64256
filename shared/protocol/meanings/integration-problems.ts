import type { IntegrationProblemCode } from '../problems/integration-problem-kinds.ts';
import type { ProblemMeaning } from './problem-meaning.ts';

export const integrationProblemMeanings: Record<IntegrationProblemCode, ProblemMeaning> = {
  cursor_expired: {
    meaning:
      'Events after this cursor are older than 30 days (`reason` `removed`), or the server lost changes that were told, by a restore from a backup or a takeover by a standby (`restored`).',
    remedy:
      'Read the records again, and go on at `latest_cursor`. Go on at `oldest_cursor` where each event matters: those of the last 30 days come again, with the ids that they had.',
    detail:
      'Events after this cursor are older than 30 days and were removed. Read the records again, then go on at `latest_cursor`, as it was before you read them.',
    members: { reason: 'removed', oldest_cursor: 'MTIuNWUyYjlkMDQ', latest_cursor: 'MTkuNWUyYjlkMDQ' },
  },
  export_too_large: {
    meaning:
      'The selected runs have more steps than an export of this format has, 200,000 or in a spreadsheet 50,000, or more than 256 MiB.',
    remedy: 'Select a shorter time by `from` and `to`, one map, or another format.',
    detail:
      'The runs have more than 200000 steps, the most that an export of this format has. Export a shorter time or one map.',
    members: { limit: 200_000 },
  },
};
