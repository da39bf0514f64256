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
  signature_invalid: {
    meaning:
      'The header `Stripe-Signature` is missing, is no signature of the body by `STRIPE_WEBHOOK_SECRET`, or is older than 5 minutes.',
    remedy:
      'Set the secret of this endpoint at Stripe, check the clock of the server, and let no proxy change the body.',
    detail: 'Stripe-Signature is not a signature of these bytes, or it is older than 5 minutes.',
  },
  customer_mismatch: {
    meaning:
      'The subscription names an account that another customer of Stripe has, or its customer has another account. Nothing was changed.',
    remedy: 'Correct `account_id` in the metadata of the subscription at Stripe, or refund a second payment.',
    detail: 'The subscription names an account that another customer has. Nothing was changed.',
  },
  already_subscribed: {
    meaning: 'The account has a subscription, perhaps one whose payment is missing, or a checkout was just paid.',
    remedy: 'Change its seats with `PATCH /billing`, and the rest on the pages of `POST /billing/portal`.',
    detail: 'The account has a subscription. Change its seats with PATCH /api/v1/billing, and the rest on its pages.',
    members: { portal: true },
  },
  not_subscribed: {
    meaning:
      'No checkout of the account was ever completed, or, where seats are to change, its subscription is not active.',
    remedy: 'Begin one with `POST /billing/checkout`, or settle the payment on the pages of `POST /billing/portal`.',
    detail: 'The account never had a subscription. Begin one by a checkout.',
  },
  billing_unavailable: {
    meaning: 'Stripe did not answer in time, or failed. The log of the server has the reason.',
    remedy: 'Try again after `Retry-After`, with the same `Idempotency-Key`.',
    detail: 'Stripe does not answer now; try again.',
    members: { retry_after_secs: 10 },
  },
  billing_refused: {
    meaning:
      "Stripe refuses what the server asks, such as its key or one of its prices. A repeat is refused, too, so there is no `Retry-After`. The server's log has Stripe's code.",
    remedy: 'Tell the operator, and try again once that is corrected.',
    detail: 'Stripe refuses what this server asks. The operator has to correct the settings.',
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
  import_invalid: {
    meaning:
      'The file has wrong cells, or names maps or recordings that do not fit the account. `report` is that of a dry run: its `errors` have the line and the column of each, at most 200 of `errors_total`. Nothing was written.',
    remedy: 'Correct the file and send it again. `dry_run=true` tells the same beforehand.',
    detail:
      'The file has 1 error, the first in line 3, duration_secs: must be a number, such as 12.5. Nothing was written.',
    members: {
      report: {
        dry_run: false,
        recordings: 1,
        new: 1,
        already_there: 0,
        deleted: 0,
        steps: 1,
        maps: [{ map_id: null, name: 'Assembly', new: true, recordings: 1 }],
        ignored_columns: ['operator'],
        errors: [
          {
            line: 3,
            column: 'duration_secs',
            code: 'number_expected',
            params: {},
            message: 'must be a number, such as 12.5',
          },
        ],
        errors_total: 1,
        warnings: [],
        warnings_total: 0,
      },
    },
  },
  import_interrupted: {
    meaning:
      'Somebody changed the account during the import, or the plan stores no more, so that a recording was refused. `saved` of them are saved.',
    remedy: 'Do what `detail` says, and send the file again: what is saved is not made twice.',
    detail:
      'After 12 of 40 recordings: the map is in the recycle bin. Then send the file again; nothing is made twice.',
    members: { reason: 'map_deleted', saved: 12 },
  },
  export_too_large: {
    meaning:
      'The selected runs have more steps than an export of this format has, 200,000 or in a spreadsheet 50,000, or more than 256 MiB, or their file takes more than a minute or 1 GiB.',
    remedy: 'Select a shorter time by `from` and `to`, one map, or another format.',
    detail:
      'The runs have more than 200000 steps, the most that an export of this format has. Export a shorter time or one map.',
    members: { limit: 200_000 },
  },
};
