/**
 * Writes each finished run of an account as one row of a table. It hears of them twice, and keeps them once:
 *
 *     GET /events ──► runs and cursor, in one transaction ──► bridge.db
 *     webhooks ─────► runs, without waiting for the next page ──┘
 *
 * Killed at any moment, it goes on at the cursor that the last page left.
 */
import { followEvents } from './follow-events.js';
import { RunTable } from './run-table.js';
import { createWebhookServer } from './webhooks.js';

const { GEMBA_URL = 'http://127.0.0.1:8080', GEMBA_KEY, GEMBA_WEBHOOK_SECRET, PORT } = process.env;
const { BRIDGE_DB = 'bridge.db', BRIDGE_POLL_SECS = '60' } = process.env;
if (!GEMBA_KEY) throw new Error('GEMBA_KEY must be an API key with the scope read');

const table = new RunTable(BRIDGE_DB);
const stopped = new AbortController();

if (GEMBA_WEBHOOK_SECRET) {
  const server = createWebhookServer({ secret: GEMBA_WEBHOOK_SECRET, onEvent: (event) => table.keepEvent(event) });
  server.listen(Number(PORT ?? 4001), '127.0.0.1', () => console.log('webhooks at', server.address()));
  stopped.signal.addEventListener('abort', () => server.close());
}
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => stopped.abort());

await followEvents({
  url: GEMBA_URL,
  key: GEMBA_KEY,
  table,
  pollSecs: Number(BRIDGE_POLL_SECS),
  signal: stopped.signal,
});
table.close();
