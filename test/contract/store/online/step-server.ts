/**
 * A server process with an online step that counts the steps of each run into a column which the server does not know, as
 * a server of an earlier version does not know the column of a later one.
 *
 *   node --import tsx test/contract/store/online/step-server.ts <dataDir> <url of PostgreSQL, or empty> [own]
 *
 * With `own` it has the steps of this version instead.
 */
import { openServer } from '../../../../server/app.ts';
import { openLog } from '../../../../server/observe/log.ts';
import { onlineSteps } from '../../../../server/store/online/steps.ts';
import { countStep, stepTiming } from './count-step.ts';

const [dataDir = '', url = '', which] = process.argv.slice(2);
const server = await openServer({
  dataDir,
  ...(url === '' ? {} : { databaseUrl: url }),
  port: 0,
  host: '127.0.0.1',
  adminToken: 'operator-of-the-steps',
  rateLimit: { requests: 1_000_000, secs: 60 },
  onlineSteps: { steps: which === 'own' ? onlineSteps : [countStep], timing: stepTiming },
  log: openLog('info', { write: (line) => void process.stdout.write(line) }),
  onBug: (error) => console.error(error),
});
console.log(`listening on ${server.url}`);
process.once('SIGTERM', () => void server.close().then(() => process.exit(0)));
