/**
 * The metrics that Prometheus scrapes at `/metrics`. No label contains an account id, since each value of a label
 * makes a time series of its own and the number of accounts is unlimited.
 */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

const durationBucketsSecs = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const cpuCounters = {
  user: 'process_cpu_user_seconds_total',
  system: 'process_cpu_system_seconds_total',
  total: 'process_cpu_seconds_total',
};

export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const histogram = (name: string, help: string) =>
    new Histogram({ name, help, buckets: durationBucketsSecs, registers });
  let isCollecting = false;
  /**
   * The library's CPU counters start at 0 here, but Prometheus users expect the CPU time since the process began, so
   * add it.
   */
  const startCollecting = () => {
    isCollecting = true;
    const { user, system } = process.cpuUsage();
    collectDefaultMetrics({ register: registry });
    const used = { user, system, total: user + system };
    for (const [part, name] of Object.entries(cpuCounters)) {
      const counter = registry.getSingleMetric(name);
      if (counter instanceof Counter) counter.inc(used[part as keyof typeof used] / 1e6);
    }
  };
  return {
    requestSecs: new Histogram({
      name: 'gemba_http_request_duration_seconds',
      help: 'Requests by route, method and status, and how long they took, but for event streams.',
      labelNames: ['route', 'method', 'status'],
      buckets: durationBucketsSecs,
      registers,
    }),
    rateLimited: new Counter({
      name: 'gemba_rate_limited_requests_total',
      help: 'Requests that were refused because too many came.',
      registers,
    }),
    mutations: new Counter({
      name: 'gemba_mutations_total',
      help: 'Mutations by name; code is "applied" or that of the refusal.',
      labelNames: ['name', 'code'],
      registers,
    }),
    boundsReached: new Counter({
      name: 'gemba_account_bounds_reached_total',
      help: 'Requests that were refused because their account has as much as it may, by code.',
      labelNames: ['code'],
      registers,
    }),
    rowsSwept: new Counter({
      name: 'gemba_swept_rows_total',
      help: 'Rows that were removed for their age, by kind: those of accounts and devices that are no longer used.',
      labelNames: ['kind'],
      registers,
    }),
    unitsWaiting: new Gauge({
      name: 'gemba_account_queue_length',
      help: 'Writing requests that wait for their turn, of all accounts together.',
      registers,
    }),
    waitSecs: histogram('gemba_account_queue_wait_seconds', 'How long writing requests waited for their turn.'),
    transactionSecs: histogram('gemba_transaction_duration_seconds', 'How long transactions of the store took.'),
    devices: new Gauge({
      name: 'gemba_devices',
      help: 'Devices that are not revoked, of all accounts together, by how they do.',
      labelNames: ['health'],
      registers,
    }),
    tableBytes: new Gauge({
      name: 'gemba_table_bytes',
      help: 'Bytes of the tables with their indexes; the embedded database has one size for all.',
      labelNames: ['table'],
      registers,
    }),
    onlineStepRows: new Gauge({
      name: 'gemba_online_step_rows',
      help: 'Rows of the pass of an online step that this process carries out: all of the table (estimated), seen and filled.',
      labelNames: ['step', 'kind'],
      registers,
    }),
    eventStreams: new Gauge({
      name: 'gemba_event_streams',
      help: 'Event streams that are open.',
      registers,
    }),
    webhookTries: new Counter({
      name: 'gemba_webhook_tries_total',
      help: 'Tries to deliver an event to an endpoint, by outcome.',
      labelNames: ['outcome'],
      registers,
    }),
    webhookEndpoints: new Gauge({
      name: 'gemba_webhook_endpoints',
      help: 'Endpoints that this process delivers to, by state: active, or failing since their last success.',
      labelNames: ['state'],
      registers,
    }),
    pokes: new Counter({
      name: 'gemba_pokes_total',
      help: 'Changes by other processes that streams of this one were told, by path: heard (listen), or found by the slow poll.',
      labelNames: ['path'],
      registers,
    }),
    pokeSecs: histogram('gemba_poke_seconds', 'From a commit of another process to telling the streams of this one.'),
    billingAlarms: new Counter({
      name: 'gemba_billing_alarms_total',
      help: 'What the operator has to look at in billing, by alarm; the log has the ids.',
      labelNames: ['alarm'],
      registers,
    }),
    eventLagSecs: histogram(
      'gemba_event_lag_seconds',
      'From hearing of a commit to telling the streams of its account.',
    ),

    /** Returns the metrics in Prometheus's text format. */
    async text(): Promise<string> {
      if (!isCollecting) startCollecting();
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}
