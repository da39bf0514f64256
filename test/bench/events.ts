/**
 * The time from sending a change until a stream delivers its event, the commit included: between two server processes
 * on one PostgreSQL, and within one process on each database.
 */
import { createParser } from 'eventsource-parser';
import { spreadOf } from './measure.ts';
import { startServerProcess } from './server-process.ts';
import type { Setting } from './setting.ts';
import type { FigureTable } from './table.ts';

const latencyGoalMs = 200;

interface Server {
  url: string;
}

export async function measureEvents(setting: Setting): Promise<FigureTable> {
  const commits = setting.smoke ? 5 : 300;
  const embedded = await startServerProcess({ dataDir: setting.dataDir('events') });
  const headers = await embedded.newAccount();
  const rows = [
    rowOf('SQLite, one process', await measureLatencies({ from: embedded, to: embedded, headers, commits })),
  ];
  await embedded.stop();

  if (setting.postgresUrl) {
    const where = { dataDir: setting.dataDir('events'), databaseUrl: await setting.postgresUrl() };
    const [one, other] = [await startServerProcess(where), await startServerProcess(where)];
    const same = await one.newAccount();
    rows.push(
      rowOf('PostgreSQL, one process', await measureLatencies({ from: one, to: one, headers: same, commits })),
      rowOf('PostgreSQL, to another', await measureLatencies({ from: one, to: other, headers: same, commits })),
    );
    await one.stop();
    await other.stop();
  }
  return {
    title: 'Events',
    about: `From sending a change until its event is read, over ${commits} changes, one after the other. The goal for another process is a median under ${latencyGoalMs} ms.`,
    head: ['', 'median', 'p99', 'max'],
    rows,
  };
}

function rowOf(name: string, samples: number[]): string[] {
  const sorted = samples.toSorted((a, b) => a - b);
  const p99 = sorted[Math.ceil(sorted.length * 0.99) - 1]!;
  const { median, max } = spreadOf(samples);
  return [name, ...[median, p99, max].map((ms) => `${ms.toFixed(1)} ms`)];
}

async function measureLatencies(given: {
  from: Server;
  to: Server;
  headers: Record<string, string>;
  commits: number;
}): Promise<number[]> {
  const { from, to, headers, commits } = given;
  const leaving = new AbortController();
  const response = await fetch(`${to.url}/api/v1/sync/events`, { headers, signal: leaving.signal });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let told = 0;
  const parser = createParser({ onEvent: () => void told++ });
  const until = async (count: number) => {
    for (;;) {
      if (told >= count) return;
      const { done, value } = await reader.read();
      if (done) throw new Error('the stream of events ended');
      parser.feed(value);
    }
  };
  await until(1);
  const samples: number[] = [];
  for (let commit = 1; commit <= commits; commit++) {
    const sentAt = performance.now();
    const made = fetch(`${from.url}/api/v1/maps`, { method: 'POST', headers, body: '{"name":"Map"}' });
    // The next change waits for the event of this change, so that each change makes one event.
    await Promise.all([until(commit + 1), made.then((answer) => answer.text())]);
    samples.push(performance.now() - sentAt);
  }
  leaving.abort();
  await reader.cancel().catch(() => {});
  return samples;
}
