/**
 * `npm run restore -- DIR` replaces the embedded database by a backup, and adds the photos that are missing. `npm run
 * restore -- --epoch-only` only makes a new epoch. After pg_restore, the new epoch makes devices push again what the
 * backup lacks. `--revoke-all-devices` also revokes every device, since the backup lacks revocations that were made
 * after it.
 */
import { readEnvironment } from '../environment.ts';
import type { Settings } from '../settings.ts';
import { fail } from './fail.ts';
import { photoLines } from './photo-lines.ts';
import { commandText } from './usage.ts';
import { isoNow, systemWorld } from '../core/world.ts';
import { openStore } from '../store/open-store.ts';
import { restoreDatabase } from '../backup/restore.ts';

const revokeAllDevicesFlag = '--revoke-all-devices';
const environmentResult = readEnvironment(process.env);
const args = process.argv.slice(2);
const [from, ...rest] = args.filter((argument) => argument !== revokeAllDevicesFlag);
if (!environmentResult.ok) fail(...environmentResult.problems);
else if (from === undefined || rest.length > 0)
  fail(
    `usage: ${commandText('restore', `DIR [${revokeAllDevicesFlag}]`)}, or ${commandText('restore', `--epoch-only [${revokeAllDevicesFlag}]`)}`,
  );
else if (from === '--epoch-only') await renewEpoch(environmentResult.settings);
else if (environmentResult.settings.databaseUrl !== undefined) {
  fail('DATABASE_URL is set: restore PostgreSQL with pg_restore, then --epoch-only (docs/operations.md)');
} else await restoreFrom(from, environmentResult.settings);

async function restoreFrom(folder: string, settings: Settings): Promise<void> {
  const { dataDir, s3Url } = settings;
  const now = new Date(systemWorld.now());
  const outcome = await restoreDatabase({ from: folder, dataDir, now, hasPhotoBucket: s3Url !== undefined });
  if (!outcome.ok) return fail(outcome.problem);
  console.log(`Restored ${dataDir} from ${folder}: ${outcome.accounts} accounts.`);
  for (const line of photoLines(outcome.photos)) console.log(line);
  if (outcome.replacedFolder !== undefined) console.log(`What was there before is kept in ${outcome.replacedFolder}.`);
  if (args.includes(revokeAllDevicesFlag)) await renewEpoch(settings);
}

async function renewEpoch(settings: Settings): Promise<void> {
  const store = await openStore({ ...settings, world: systemWorld }).catch((error: Error) => fail(error.message));
  if (!store) return;
  if (args.includes(revokeAllDevicesFlag)) {
    const keys = await store.revokeAllDevicesAndTheirKeys(isoNow(systemWorld));
    console.log(`All devices are revoked, and the ${keys.revoked} API keys that they made: pair the devices anew.`);
    if (keys.kept > 0) {
      console.log(`${keys.kept} API keys that devices made stay, each the last of its account with the scope admin.`);
    }
  }
  console.log(`The epoch is now ${await store.renewEpoch()}.`);
  await store.close();
}
