/**
 * Makes the accounts with their maps, and gives each device a token: one in five is paired by a code, the others get a key of
 * the account, since the slow hash of a code takes 40 ms of a processor. Each device has a network address of its own.
 */
import type { PairingCode, PairResult } from '../../../shared/schema/auth.ts';
import { isWearable } from '../day-plan.ts';
import type { HttpClient, LoadRequest } from './http-client.ts';
import { LoadAccount } from './load-account.ts';

const devicesPerAccount = 20;
const mapsPerAccount = 4;
const pairedEvery = 5;
const accountsAtOnce = 16;
/** Pairing takes minutes. */
const progressEvery = 1_000;

export interface PairedDevice {
  number: number;
  account: LoadAccount;
  token: string;
}

interface PairingSetting {
  clients: readonly HttpClient[];
  adminToken: string;
  devices: number;
  say: (line: string) => void;
}

/** Without `TRUST_PROXY` all devices would share the limits of one address. */
export const addressHeader = (device: number): Record<string, string> => ({
  'X-Forwarded-For': `10.${device >> 16}.${(device >> 8) & 255}.${device & 255}`,
});

/** Resolves with the devices in the order of their numbers. */
export async function pairDevices({ clients, adminToken, devices, say }: PairingSetting): Promise<PairedDevice[]> {
  const paired: PairedDevice[] = [];
  let nextFirst = 0;
  const pairSome = async (): Promise<void> => {
    for (let first = nextFirst; first < devices; first = nextFirst) {
      nextFirst = first + devicesPerAccount;
      const client = clients[(first / devicesPerAccount) % clients.length]!;
      paired.push(
        ...(await pairAccount({ client, adminToken, first, end: Math.min(first + devicesPerAccount, devices) })),
      );
      if (paired.length % progressEvery === 0) say(`paired ${paired.length} of ${devices} devices`);
    }
  };
  await Promise.all(Array.from({ length: accountsAtOnce }, pairSome));
  return paired.toSorted((one, other) => one.number - other.number);
}

interface AccountSetting {
  client: HttpClient;
  adminToken: string;
  first: number;
  end: number;
}

async function pairAccount({ client, adminToken, first, end }: AccountSetting): Promise<PairedDevice[]> {
  const post = async <Body>(path: string, token: string | undefined, body: object, device = first): Promise<Body> => {
    const headers = { ...addressHeader(device), ...(token ? { Authorization: `Bearer ${token}` } : {}) };
    return (await expectSent(client, { method: 'POST', path, headers, body: JSON.stringify(body) })) as Body;
  };
  const opened = await post<{ account: { id: string }; api_key: string }>('/api/v1/admin/accounts', adminToken, {
    name: `Plant ${first / devicesPerAccount + 1}`,
    plan: 'team',
  });
  const key = opened.api_key;
  const mapIds: string[] = [];
  for (let map = 1; map <= mapsPerAccount; map++) {
    mapIds.push((await post<{ id: string }>('/api/v1/maps', key, { name: `Line ${map}` })).id);
  }
  const account = new LoadAccount({ id: opened.account.id, mapIds });
  const paired: PairedDevice[] = [];
  for (let number = first; number < end; number++) {
    if (number % pairedEvery !== 0) {
      const made = await post<{ api_key: string }>('/api/v1/keys', key, { scopes: ['read', 'record'] });
      paired.push({ number, account, token: made.api_key });
      continue;
    }
    const device_kind = isWearable(number) ? 'wearable' : 'phone';
    const { code } = await post<PairingCode>('/api/v1/auth/pairing-code', key, { device_kind });
    const names = { device_id: crypto.randomUUID(), device_name: `Device ${number}` };
    const { token } = await post<PairResult>('/api/v1/auth/pair', undefined, { code, device_kind, ...names }, number);
    paired.push({ number, account, token });
  }
  return paired;
}

async function expectSent(client: HttpClient, request: LoadRequest): Promise<unknown> {
  const answer = await client.send(request);
  if (!answer.ok) throw new Error(`${request.path}: ${answer.code}`);
  return answer.body;
}
