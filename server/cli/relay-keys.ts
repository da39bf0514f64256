/**
 * `npm run relay-keys -- rotate` adds new keys to which devices seal requests, while servers run. Devices learn of them with
 * their next answer. Requests to the earlier keys are opened for 400 days.
 */
import { readEnvironment, type Settings } from '../environment.ts';
import { systemWorld } from '../core/world.ts';
import { createServerKeys, oldKeyDaysMax } from '../relay/server-keys.ts';
import { openStore } from '../store/open-store.ts';
import { fail } from './fail.ts';

const environmentResult = readEnvironment(process.env);
const [command, ...rest] = process.argv.slice(2);
if (!environmentResult.ok) fail(...environmentResult.problems);
else if (command !== 'rotate' || rest.length > 0) fail('usage: npm run relay-keys -- rotate');
else await rotate(environmentResult.settings);

async function rotate(settings: Settings): Promise<void> {
  const store = await openStore({ ...settings, world: systemWorld }).catch((error: Error) => fail(error.message));
  if (!store) return;
  const { added, removed } = await createServerKeys({ store, world: systemWorld }).rotate();
  console.log(`New keys ${added.join(' and ')}; what is sealed to earlier ones is opened for ${oldKeyDaysMax} days.`);
  if (removed.length > 0) console.log(`Removed, since they are older than that: ${removed.join(', ')}.`);
  await store.close();
}
