/** Shuts a server down: finishes the requests under way, then closes the services that they used. */
import type { OpenConnections } from './http/limits/connections.ts';
import type { HttpServer } from './http/http-server.ts';
import type { Services } from './http/services.ts';

/**
 * After this time, a shutdown closes the remaining connections. Docker kills a process 10 s after SIGTERM, and closing
 * the store needs some of that time.
 */
const drainMsMax = 8_000;

interface DrainOptions extends Pick<HttpServer, 'server' | 'stalledReaders'> {
  connections: OpenConnections;
  services: Services;
  stopBackgroundWork: () => Promise<void>;
}

export async function drain(options: DrainOptions): Promise<void> {
  const { server, connections, stalledReaders, stopBackgroundWork } = options;
  const { readiness, events, deviceReports, limits, store } = options.services;
  readiness.draining = true;
  const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
  events.close();
  stalledReaders.useDrainingTimeout();
  // Close idle keep-alive connections, since they would delay the shutdown. An interval closes more of them later: a
  // connection becomes idle only after its last response.
  connections.closeIdle();
  const closingIdle = setInterval(() => connections.closeIdle(), 20);
  const deadline = setTimeout(() => server.closeAllConnections(), drainMsMax);
  // Both clients and webhook endpoints may be slow, so the server waits for them in parallel.
  await Promise.all([closed, stopBackgroundWork()]).finally(() => {
    clearInterval(closingIdle);
    clearTimeout(deadline);
  });
  await deviceReports.close();
  await limits.close();
  await store.close();
}
