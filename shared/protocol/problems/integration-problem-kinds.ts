/**
 * The problems of the routes for other systems: webhooks, events, billing, imports and exports. No device gets them.
 */
import type { ProblemKind } from './problem-kind.ts';

export const integrationProblemKinds = {
  signature_invalid: { status: 400, title: 'Not signed by Stripe' },
  customer_mismatch: { status: 403, title: 'Another customer has the account' },
  webhook_not_found: { status: 404, title: 'No such endpoint' },
  event_not_found: { status: 404, title: 'No such event' },
  webhook_limit_reached: { status: 409, title: 'The account has as many endpoints as it may' },
  already_subscribed: { status: 409, title: 'The account has a subscription' },
  not_subscribed: { status: 409, title: 'The account has no subscription' },
  cursor_expired: { status: 410, title: 'Events after this cursor were removed' },
  webhook_url_refused: { status: 422, title: 'The server sends nothing to this URL' },
  billing_refused: { status: 503, title: 'Stripe refuses this server' },
  billing_unavailable: { status: 503, title: 'Stripe does not answer now' },
  import_interrupted: { status: 409, title: 'The import stopped in the middle' },
  import_invalid: { status: 422, title: 'The file cannot be imported' },
  export_too_large: { status: 422, title: 'The export is too large' },
} as const satisfies Record<string, ProblemKind>;

export type IntegrationProblemCode = keyof typeof integrationProblemKinds;
