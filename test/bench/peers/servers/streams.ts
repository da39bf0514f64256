/** Event streams of Node alone: it answers each request with the head of a stream and keeps it open. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const open = new Set<object>();
const server = createServer((_request, response) => {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  response.write(':\n\n');
  open.add(response);
});
server.listen(0, '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.once('SIGTERM', () => process.exit(0));
