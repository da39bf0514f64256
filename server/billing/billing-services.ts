import type { EventActor } from '../../shared/schema/integration/account-event.ts';
import type { World } from '../core/world.ts';
import type { Log } from '../observe/log.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { Store } from '../store/store.ts';
import type { PaymentService } from './billing.ts';

export interface BillingServices {
  store: Store;
  world: World;
  log: Log;
  metrics: Pick<Metrics, 'billingAlarms'>;
  service: PaymentService;
}

/** The actor of events that follow from an answer of the payment service. */
export const billingActor: EventActor = { kind: 'billing', id: null };
