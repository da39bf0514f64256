/** Serves the pages of a file unchanged, to measure the lowest possible time for a fetch of these bytes. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const pages = (JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as string[]).map((page) => Buffer.from(page));
const server = createServer((request, response) => {
  response.setHeader('Content-Type', 'application/json');
  response.end(pages[Number(request.url!.slice(1))]);
});
server.listen(0, '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.once('SIGTERM', () => process.exit(0));
