import type { IntegrationProblemCode } from '../problems/integration-problem-kinds.ts';
import type { ProblemMeaning } from './problem-meaning.ts';

export const integrationProblemMeanings: Record<IntegrationProblemCode, ProblemMeaning> = {
  webhook_not_found: {
    meaning: "There is no such endpoint for this token. Another account's endpoint looks exactly the same.",
    remedy: 'Check the id and whose token it is.',
    detail: 'There is no such endpoint.',
  },
  event_not_found: {
    meaning: 'The endpoint has no delivery of this event, or the event is older than 30 days.',
    remedy: 'Take the id of an event from the deliveries of the endpoint.',
    detail: 'The endpoint has no delivery of such an event, or the event was removed.',
  },
  webhook_limit_reached: {
    meaning: 'The account has 20 endpoints.',
    remedy: 'Delete one that is not needed.',
    detail: 'The account has 20 endpoints, as many as it may; delete one first.',
    members: { limit: 20 },
  },
  webhook_url_refused: {
    meaning:
      'The URL is no https URL, has a user name or password, or names an address of a private network. A name that resolves to such an address is refused with each delivery.',
    remedy: 'Use a public https URL, or let the operator allow the network with `GEMBA_WEBHOOK_ALLOW`.',
    detail: 'The URL names an address that is not public.',
  },
  cursor_expired: {
    meaning:
      'Events after this cursor are older than 30 days (`reason` `removed`), or the server lost changes that were told, by a restore from a backup or a takeover by a standby (`restored`).',
    remedy:
      'Read the records again, and go on at `latest_cursor`. Go on at `oldest_cursor` where each event matters: those of the last 30 days come again, with the ids that they had.',
    detail:
      'Events after this cursor are older than 30 days and were removed. Read the records again, then go on at `latest_cursor`, as it was before you read them.',
    members: { reason: 'removed', oldest_cursor: 'MTIuNWUyYjlkMDQ', latest_cursor: 'MTkuNWUyYjlkMDQ' },
  },
};
