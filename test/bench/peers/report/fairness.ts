/** The words of the report on what each contender does, and does not do, for its figure. */

interface Side {
  name: string;
  /** The packages whose versions the report states. */
  packages: string[];
  device: string;
  server: string;
  lacks: string;
}

export const sides: Side[] = [
  {
    name: 'Gemba',
    packages: [],
    device: 'the public engine, memory storage',
    server: 'its own server process, SQLite or PostgreSQL',
    lacks:
      'only the rate limit is off, and the log has warnings alone where nothing else is said: tokens, business rules, ids and run numbers, idempotency and hash chain are at work',
  },
  {
    name: 'RxDB',
    packages: ['rxdb'],
    device: 'its own replication, memory storage, batches of 500 and 1,000',
    server: 'its protocol on bare `node:http` and SQLite, written for this comparison',
    lacks:
      'no tokens, no rules, no run numbers; a repeated push is a conflict that resolves itself; it keeps no order of pushes',
  },
  {
    name: 'Replicache',
    packages: ['replicache'],
    device: 'memory store',
    server: 'its protocol with a version for each space on bare `node:http` and SQLite, written for this comparison',
    lacks: 'no tokens and no rules on the server; it has an order and mutation ids, so that nothing is applied twice',
  },
  {
    name: 'TinyBase',
    packages: ['tinybase', 'ws'],
    device: 'mergeable store in memory; a row has its content as one text',
    server: 'its WebSocket server, in memory',
    lacks:
      'nothing is on a disk, there are no tokens and no rules, and nothing tells a device that its rows have arrived: the server tells the benchmark, beside the line; it closes a connection before a message over 16 MiB, so that the first sync here is too large for it',
  },
  {
    name: 'PouchDB',
    packages: ['pouchdb-core', 'pouchdb-adapter-memory', 'express-pouchdb', 'express'],
    device: 'memory adapter, batches of 1,000; it replicates to the server or from it, not both',
    server: 'express-pouchdb on its own Express 4, in memory; it compresses what it sends',
    lacks: 'nothing is on a disk, and there are no tokens and no rules',
  },
];

export const rulesOfTheGame = [
  'The contenders take turns in rounds, each round begins with another one, and the first round does not count. A table has medians and ranges; ratios are those of the same round, so that a slow minute of the machine slows all.',
  'Absolute figures are those of one machine on one day, with other programs at work on it: the ranges show how much. Only figures of one table compare.',
  'Servers are processes of their own; the devices are in the process of the benchmark, one at a time, with `NODE_ENV=production`.',
  'Lines are a proxy that delays the bytes, limits their rate and counts them. The peers with a server of ours are measured with and without compression where bytes matter.',
  'The peers hold the same content: recordings as they were sent, and for the first sync the records that Gemba’s API shows with the steps as they were sent.',
  'A limit is no contender: it shows what the machine needs for the same bytes without any of the work.',
];
