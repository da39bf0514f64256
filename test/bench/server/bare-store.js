/** Opens the database of a server and listens, and does nothing else. JavaScript, as what `npm start` runs. */
import { createServer } from 'node:http';
import { join } from 'node:path';
import process from 'node:process';

const { DatabaseSync } = process.getBuiltinModule('node:sqlite') ?? (await import('@photostructure/sqlite'));
const database = new DatabaseSync(join(process.env.DATA_DIR, 'gemba.db'));
database.prepare('SELECT count(*) FROM accounts').get();
createServer((_req, res) => res.end()).listen(Number(process.env.PORT), '127.0.0.1');
