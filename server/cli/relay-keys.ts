/**
 * `npm run relay-keys -- rotate` adds new keys to which devices seal requests, even while servers run. Devices get the
 * new keys with the next answer. The server opens requests to earlier keys for 400 days, or until `npm run relay-keys
 * -- remove ID`.
 */
import { readEnvironment } from '../environment.ts';
import type { Settings } from '../settings.ts';
import { systemWorld } from '../core/world.ts';
import { createServerKeys, oldKeyDaysMax, type ServerKeys } from '../relay/server-keys.ts';
import { openStore } from '../store/open-store.ts';
import { fail } from './fail.ts';
import { commandText } from './usage.ts';

const environmentResult = readEnvironment(process.env);
const [command, idText = '', ...rest] = process.argv.slice(2);
const isRemoval = command === 'remove' && /^\d{1,3}$/.test(idText);
const isRotation = command === 'rotate' && idText === '';
if (!environmentResult.ok) fail(...environmentResult.problems);
else if (rest.length > 0 || !(isRemoval || isRotation))
  fail(`usage: ${commandText('relay-keys', 'rotate | remove ID')}`);
else
  await withServerKeys(environmentResult.settings, isRemoval ? (keys) => removeKey(keys, Number(idText)) : rotateKeys);

async function withServerKeys(settings: Settings, act: (keys: ServerKeys) => Promise<void>): Promise<void> {
  const store = await openStore({ ...settings, world: systemWorld }).catch((error: Error) => fail(error.message));
  if (!store) return;
  await act(createServerKeys({ store, world: systemWorld }));
  await store.close();
}

async function rotateKeys(keys: ServerKeys): Promise<void> {
  const { added, removed } = await keys.rotate();
  console.log(`New keys ${added.join(' and ')}; what is sealed to earlier ones is opened for ${oldKeyDaysMax} days.`);
  if (removed.length > 0) console.log(`Removed, since they are older than that: ${removed.join(', ')}.`);
}

async function removeKey(keys: ServerKeys, keyId: number): Promise<void> {
  const outcome = await keys.remove(keyId);
  if (outcome === 'removed') console.log(`Removed key ${keyId}; what is sealed to it is refused from now on.`);
  else if (outcome === 'unknown') fail(`there is no key ${keyId}`);
  else fail(`key ${keyId} is the newest of its kind; run ${commandText('relay-keys', 'rotate')} first`);
}
