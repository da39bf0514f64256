/** Serves one JSON document: `http` with nothing but Node, `express` as Express and helmet do it. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import helmet from 'helmet';

const [kind, file = ''] = process.argv.slice(2);
const document: unknown = JSON.parse(readFileSync(file, 'utf8'));
const server = kind === 'express' ? createServer(expressApp()) : createNodeServer();
server.listen(0, '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.once('SIGTERM', () => process.exit(0));

function expressApp() {
  const app = express();
  app.use(helmet());
  app.get('/api/v1/maps/:id', (_req, res) => void res.json(document));
  return app;
}

function createNodeServer() {
  const text = JSON.stringify(document);
  return createServer((_req, res) => {
    res.setHeader('Content-Type', 'application/json');
    res.setHeader('Content-Length', Buffer.byteLength(text));
    res.end(text);
  });
}
