/** A phone or a desk that holds a part of the runs of its account. */
import type { BrowserContext } from 'playwright-core';
import type { FullMap } from '../../../shared/schema/map.ts';
import type { RunDoc } from '../../../shared/schema/run.ts';
import type { AppServer } from './app-server.ts';
import { deskSize } from './desk/desk-page.ts';
import { keptForOffline, openDevice, pair, phoneSize } from './devices.ts';
import { status } from './locators.ts';

const uploadsAtOnce = 20;

/**
 * Makes a map with so many runs. Returns the ids of the runs, the first run first. With `startOf` the nth upload began then,
 * and is the nth run.
 */
export async function createMap(
  { rest }: AppServer,
  name: string,
  runCount: number,
  startOf?: (nth: number) => string,
) {
  const { body: map } = await rest.send<FullMap>('POST', '/maps', { name });
  const ids: number[] = [];
  const upload = async () => {
    while (ids.length < runCount) {
      const nth = ids.push(0);
      const steps = [
        { stage_name: 'Load', order: 1, duration_secs: 20 },
        { stage_name: 'Press', order: 2, duration_secs: 40 + (nth % 10), work_type: 'valuable' },
      ];
      const { body } = await rest.send<{ run: RunDoc }>('POST', `/maps/${map.id}/recording`, {
        steps,
        ...(startOf ? { started_at: startOf(nth) } : {}),
      });
      ids[body.run.number - 1] = body.run.id;
    }
  };
  await Promise.all(Array.from({ length: startOf ? 1 : uploadsAtOnce }, upload));
  return { mapId: map.id, ids };
}

/** The server gets a scope of this many runs instead of the app's. Returns the scopes that the app named. */
export async function limitScope(context: BrowserContext, runsMax: number): Promise<string[]> {
  const named: string[] = [];
  await context.route(/sync\/pull\?.*runs_max=/, (route) => {
    const url = new URL(route.request().url());
    named.push(url.searchParams.get('runs_max') ?? '');
    url.searchParams.set('runs_max', String(runsMax));
    return route.continue({ url: String(url) });
  });
  return named;
}

interface Scoped {
  server: AppServer;
  runsMax: number;
  face?: 'phone' | 'desk';
}

export async function openScoped({ server, runsMax, face = 'phone' }: Scoped) {
  const { page, context } = await openDevice(face === 'desk' ? deskSize : phoneSize);
  const named = await limitScope(context, runsMax);
  await pair(page, face === 'desk' ? await server.newLink('desk') : server.link);
  await status(page, 'All safe on the server').waitFor();
  await page.getByRole('list', { name: 'Maps' }).waitFor();
  await keptForOffline(page);
  return { page, named };
}
