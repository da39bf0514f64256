/** The real server on the embedded database in this process, and an API key of the demo's account. */
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openServer } from '../../server/app.ts';

export interface LocalServer {
  url: string;
  apiKey: string;
  close(): Promise<void>;
}

export async function startServer(dataDir: string): Promise<LocalServer> {
  await mkdir(dataDir, { recursive: true }).catch((error: Error) => {
    throw new Error(`cannot use the folder ${dataDir}: ${error.message}`, { cause: error });
  });
  const adminToken = randomBytes(32).toString('hex');
  const { url, close } = await openServer({ dataDir, port: 0, host: '127.0.0.1', adminToken });
  try {
    return { url, close, apiKey: await readOrCreateApiKey({ url, dataDir, adminToken }) };
  } catch (error) {
    await close();
    throw error;
  }
}

interface ServerPlace {
  url: string;
  dataDir: string;
  adminToken: string;
}

/** The server keeps only a hash of a key, so the demo stores the key beside the database and uses it again. */
async function readOrCreateApiKey({ url, dataDir, adminToken }: ServerPlace): Promise<string> {
  const file = join(dataDir, 'demo-api-key');
  const kept = await readFile(file, 'utf8').catch(() => undefined);
  if (kept !== undefined && (await isKnown(url, kept.trim()))) return kept.trim();
  const response = await fetch(`${url}/api/v1/admin/accounts`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Demo', plan: 'team' }),
  });
  if (!response.ok) throw new Error(`the server made no account: ${await response.text()}`);
  const { api_key } = (await response.json()) as { api_key: string };
  await writeFile(file, `${api_key}\n`, { mode: 0o600 });
  return api_key;
}

async function isKnown(url: string, apiKey: string): Promise<boolean> {
  const response = await fetch(`${url}/api/v1/maps?limit=1`, { headers: { Authorization: `Bearer ${apiKey}` } });
  await response.arrayBuffer();
  return response.status !== 401;
}
