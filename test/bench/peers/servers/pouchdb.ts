/** CouchDB's protocol by express-pouchdb on its own Express 4, with databases in memory: nothing is on a disk. */
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import express from 'express';
import expressPouchDb from 'express-pouchdb';
import memoryAdapter from 'pouchdb-adapter-memory';
import PouchDb from 'pouchdb-core';
import httpAdapter from 'pouchdb-adapter-http';
import mapReduce from 'pouchdb-mapreduce';
import replication from 'pouchdb-replication';

const Databases = PouchDb.plugin(memoryAdapter)
  .plugin(httpAdapter)
  .plugin(replication)
  .plugin(mapReduce)
  .defaults({ adapter: 'memory' });

const app = express();
const handler = expressPouchDb(Databases, {
  mode: 'minimumForPouchDB',
  inMemoryConfig: true,
  logPath: join(process.argv[2] ?? '', 'log.txt'),
});
// The site of the browser's pages passes on what is under `/api`.
app.use('/api', handler);
app.use(handler);
const server = app.listen(0, '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.once('SIGTERM', () => process.exit(0));
