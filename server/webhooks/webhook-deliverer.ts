/**
 * Delivers account events to the endpoints of webhooks. Each account is in a bucket, and the process that holds the lease of
 * the bucket delivers for the account:
 *
 *   each 10 s: take or keep leases ─▶ accounts of the held buckets ─▶ endpoints that are due
 *   poke of a commit ────────────────▶ the account, if its bucket is held
 *   endpoint ─▶ next event ─▶ POST ─▶ save what follows ─▶ next event ...
 *
 * An endpoint gets one event at a time, in order. A process that dies has saved nothing of a delivery that was under way, so
 * the next holder sends that event again, with the same id.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isoNow, randomFraction, randomUuid, type World } from '../core/world.ts';
import { withSubjectRecords } from '../events/subject-records.ts';
import { toAccountEvent } from '../events/list-events.ts';
import { eventsAfter } from '../events/events-after.ts';
import type { LoggedEvent } from '../store/events/event-row.ts';
import { StoreUnavailable, type Store } from '../store/store.ts';
import type { DeliverySave, WebhookRow } from '../store/webhooks/webhook-row.ts';
import { bucketCount, bucketOf } from './buckets.ts';
import { deliveryBody } from './delivery-body.ts';
import { stateAfter } from './next-state.ts';
import { postWebhook, type WebhookAnswer } from './post-webhook.ts';
import { signaturesOf, webhookSecret } from './signature.ts';
import type { AllowedTargets } from './target.ts';

const roundMs = 10_000;
const leaseMs = 30_000;
/** A delivery takes up to 15 s, and must end while the lease lasts. */
const leaseLeftMsMin = 16_000;
const rowsPerRead = 100;
const bytesPerRead = 256 * 1024;
