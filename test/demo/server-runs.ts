/** Reads the server's maps and runs over REST, as any integration would. */
import type { MapRecord } from '../../shared/schema/map.ts';
import type { RunDoc, RunRecord } from '../../shared/schema/run.ts';
import type { LocalServer } from './local-server.ts';

export interface ServerMap {
  map: MapRecord;
  /** Oldest first, with their steps. */
  runs: RunDoc[];
}

export async function readServerRuns(server: LocalServer): Promise<ServerMap[]> {
  const maps: ServerMap[] = [];
  for (const map of await listAll<MapRecord>(server, '/maps')) {
    const listed = await listAll<RunRecord>(server, `/maps/${map.id}/runs`);
    const runs = await askForEach(listed.toReversed(), ({ id }) => getWithRetries<RunDoc>(server, `/runs/${id}`));
    maps.push({ map, runs });
  }
  return maps;
}

interface Page<Record> {
  data: Record[];
  next_cursor: string | null;
}

async function listAll<Record>(server: LocalServer, path: string): Promise<Record[]> {
  const records: Record[] = [];
  let cursor: string | null = null;
  do {
    const query = new URLSearchParams({ limit: '200', ...(cursor === null ? {} : { cursor }) });
    const page: Page<Record> = await getWithRetries(server, `${path}?${query}`);
    records.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return records;
}

const requestsAtOnceMax = 8;

/** Calls `ask` for all things, a few at a time. Returns the answers in the order of the things. */
async function askForEach<Thing, Answer>(things: Thing[], ask: (thing: Thing) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  const left = things.entries();
  const askOn = async () => {
    for (const [index, thing] of left) answers[index] = await ask(thing);
  };
  await Promise.all(Array.from({ length: requestsAtOnceMax }, askOn));
  return answers;
}

const attemptsMax = 10;

/** Waits as long as the server asks for after too many requests. */
async function getWithRetries<Body>({ url, apiKey }: LocalServer, path: string): Promise<Body> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(`${url}/api/v1${path}`, { headers: { Authorization: `Bearer ${apiKey}` } });
    if (response.ok) return (await response.json()) as Body;
    const problem = await response.text();
    const retryAfterSecs = Number(response.headers.get('Retry-After'));
    if (response.status !== 429 || attempt === attemptsMax)
      throw new Error(`GET ${path}: ${response.status} ${problem}`);
    await new Promise((resolve) => setTimeout(resolve, retryAfterSecs * 1000));
  }
}
