/** The problems of what other systems use. No device meets them. */
import type { ProblemKind } from './problem-kind.ts';

export const integrationProblemKinds = {
  webhook_not_found: { status: 404, title: 'No such endpoint' },
  event_not_found: { status: 404, title: 'No such event' },
  webhook_limit_reached: { status: 409, title: 'The account has as many endpoints as it may' },
  cursor_expired: { status: 410, title: 'Events after this cursor were removed' },
  webhook_url_refused: { status: 422, title: 'The server sends nothing to this URL' },
} as const satisfies Record<string, ProblemKind>;

export type IntegrationProblemCode = keyof typeof integrationProblemKinds;
