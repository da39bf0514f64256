/** Every promise of the server over HTTP, whatever database is under it. */
import { afterAll, beforeAll } from 'vitest';
import { authContract } from './auth-contract.ts';
import { clockContract } from './clock-contract.ts';
import { conditionsContract } from './conditions-contract.ts';
import { eventsContract } from './events-contract.ts';
import { devicesContract } from './devices-contract.ts';
import type { DatabaseServers, OpenServers } from './fixture.ts';
import { idempotencyContract } from './idempotency-contract.ts';
import { keysContract } from './keys-contract.ts';
import { listsContract } from './lists-contract.ts';
import { mapsContract } from './maps-contract.ts';
import { pairingAccountContract } from './pairing-account-contract.ts';
import { pairingContract } from './pairing-contract.ts';
import { pairingLimitsContract } from './pairing-limits-contract.ts';
import { protocolContract } from './protocol-contract.ts';
import { pullContract } from './pull-contract.ts';
import { pushContract } from './push-contract.ts';
import { recordingsContract } from './recordings-contract.ts';
import { revokedMidwayContract } from './revoked-midway-contract.ts';
import { runsContract } from './runs-contract.ts';
import { seatsContract } from './seats-contract.ts';
import { chainContract } from './chain-contract.ts';
import { sequenceContract } from './sequence-contract.ts';
import { stagesContract } from './stages-contract.ts';
import { verbatimContract } from './verbatim-contract.ts';

export type GetServers = () => DatabaseServers;

export function serverContract(open: OpenServers): void {
  let servers: DatabaseServers;
  beforeAll(async () => void (servers = await open()));
  afterAll(() => servers.close());
  const get = () => servers;
  authContract(get);
  pairingContract(get);
  pairingLimitsContract(get);
  pairingAccountContract(get);
  seatsContract(get);
  devicesContract(get);
  keysContract(get);
  revokedMidwayContract(get);
  protocolContract(get);
  mapsContract(get);
  stagesContract(get);
  recordingsContract(get);
  runsContract(get);
  listsContract(get);
  conditionsContract(get);
  idempotencyContract(get);
  verbatimContract(get);
  clockContract(get);
  pushContract(get);
  sequenceContract(get);
  chainContract(get);
  pullContract(get);
  eventsContract(get);
}
