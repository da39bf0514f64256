/** Recordings that are on the server, and a phone that has them. */
import type { Locator, Page } from 'playwright-core';
import type { FullMap } from '../../shared/schema/map.ts';
import type { RecordingStep } from '../../shared/schema/recording.ts';
import type { RunDoc } from '../../shared/schema/run.ts';
import type { AppServer } from './app-server.ts';
import { keptForOffline, openDevice, pair, type Size } from './devices.ts';
import { status } from './seen.ts';

type Step = Partial<RecordingStep> & Pick<RecordingStep, 'stage_name' | 'duration_secs'>;

const ordered = (steps: Step[]) => steps.map((step, index) => ({ ...step, order: index + 1 }));

/** A map of which each of these was recorded; their ids with the first run's first. */
export async function recorded(
  { rest }: AppServer,
  ...recordings: Step[][]
): Promise<{ mapId: string; runIds: number[] }> {
  const [first, ...others] = recordings.map(ordered);
  const made = await rest.send<{ map: FullMap; run: RunDoc }>('POST', '/recording/new', { name: 'Saw', steps: first });
  const mapId = made.body.map.id;
  const runIds = [made.body.run.id];
  for (const steps of others) {
    const { body } = await rest.send<{ run: RunDoc }>('POST', `/maps/${mapId}/recording`, { steps });
    runIds.push(body.run.id);
  }
  return { mapId, runIds };
}

export const short: Step[] = [{ stage_name: 'Cut', duration_secs: 30, work_type: 'valuable' }];
export const times = <Thing>(count: number, thing: Thing): Thing[] => Array.from({ length: count }, () => thing);

/** The same stage by other names, twice in a run, in one of them alone, and of another work type. */
export const morning: Step[][] = [
  [
    { stage_name: 'Load', duration_secs: 10, work_type: 'incidental' },
    { stage_name: 'Press', duration_secs: 20, work_type: 'valuable' },
    { stage_name: 'Inspect', duration_secs: 8, work_type: 'incidental' },
  ],
  [
    { stage_name: 'load', duration_secs: 14, work_type: 'incidental' },
    { stage_name: 'Search', duration_secs: 9, work_type: 'waste' },
    { stage_name: 'PRESS', duration_secs: 22, work_type: 'valuable' },
    { stage_name: 'Inspect', duration_secs: 5, work_type: 'incidental' },
    { stage_name: 'Press', duration_secs: 4, work_type: 'waste' },
  ],
  [
    { stage_name: 'Load', duration_secs: 12, work_type: 'incidental' },
    { stage_name: 'Press', duration_secs: 31, work_type: 'valuable' },
    { stage_name: 'Inspect', duration_secs: 14, work_type: 'waste' },
  ],
  [
    { stage_name: 'Load', duration_secs: 16, work_type: 'incidental' },
    { stage_name: 'Press', duration_secs: 27, work_type: 'valuable' },
  ],
];

/** With all of the account on the phone, and the app there to be opened offline. */
export async function openPhone(server: AppServer, size?: Size): Promise<Page> {
  const { page } = await openDevice(size);
  await pair(page, server.link);
  await status(page, 'All safe on the server').waitFor();
  await keptForOffline(page);
  return page;
}

export const link = (page: Page, name: string): Locator => page.getByRole('link', { name });

/** Of the table of a comparison. */
export async function tableHeads(page: Page): Promise<string[]> {
  await page.locator('thead').waitFor();
  return page.locator('thead th').allTextContents();
}
