/** Uploads recordings to the server, and opens a phone that has pulled their runs. */
import type { Locator, Page } from 'playwright-core';
import type { FullMap } from '../../../shared/schema/map.ts';
import type { RecordingStep } from '../../../shared/schema/recording.ts';
import type { RunDoc, RunRecord } from '../../../shared/schema/run.ts';
import type { AppServer } from './app-server.ts';
import { keptForOffline, openDevice, pair, type Size } from './devices.ts';
import { heading, status } from './locators.ts';

type Step = Partial<RecordingStep> & Pick<RecordingStep, 'stage_name' | 'duration_secs'>;

const withOrder = (steps: Step[]) => steps.map((step, index) => ({ ...step, order: index + 1 }));

/** Makes a map with these recordings. Returns the map's id and the ids of the runs, the first run first. */
export async function uploadRecordings(
  { rest }: AppServer,
  ...recordings: Step[][]
): Promise<{ mapId: string; runIds: number[] }> {
  const [first, ...others] = recordings.map(withOrder);
  const made = await rest.send<{ map: FullMap; run: RunDoc }>('POST', '/recording/new', { name: 'Saw', steps: first });
  const mapId = made.body.map.id;
  const runIds = [made.body.run.id];
  for (const steps of others) {
    const { body } = await rest.send<{ run: RunDoc }>('POST', `/maps/${mapId}/recording`, { steps });
    runIds.push(body.run.id);
  }
  return { mapId, runIds };
}

/** Returns the runs of a map with their steps, the first run first. */
export async function runsOf({ rest }: AppServer, mapId: string): Promise<RunDoc[]> {
  const runs = await rest.list<RunRecord>(`/maps/${mapId}/runs`);
  const docs = await Promise.all(runs.map(({ id }) => rest.get<RunDoc>(`/runs/${id}`)));
  return docs.toSorted((a, b) => a.number - b.number);
}

export const shortRecording: Step[] = [{ stage_name: 'Cut', duration_secs: 30, work_type: 'valuable' }];
export const times = <Thing>(count: number, thing: Thing): Thing[] => Array.from({ length: count }, () => thing);

/** Recordings whose stages differ in spelling and work type, repeat, or occur in only one recording. */
export const morningRecordings: Step[][] = (
  [
    [
      ['Load', 10, 'incidental'],
      ['Press', 20, 'valuable'],
      ['Inspect', 8, 'incidental'],
    ],
    [
      ['load', 14, 'incidental'],
      ['Search', 9, 'waste'],
      ['PRESS', 22, 'valuable'],
      ['Inspect', 5, 'incidental'],
      ['Press', 4, 'waste'],
    ],
    [
      ['Load', 12, 'incidental'],
      ['Press', 31, 'valuable'],
      ['Inspect', 14, 'waste'],
    ],
    [
      ['Load', 16, 'incidental'],
      ['Press', 27, 'valuable'],
    ],
  ] as const
).map((steps) => steps.map(([stage_name, duration_secs, work_type]) => ({ stage_name, duration_secs, work_type })));

/** Opens a phone that has pulled the whole account and can open the app offline. */
export async function openPhone(server: AppServer, size?: Size): Promise<Page> {
  const { page } = await openDevice(size);
  await pair(page, server.link);
  await status(page, 'All safe on the server').waitFor();
  // The status can show this before the first pull has ended, so wait for the list of maps, too.
  await page.getByRole('list', { name: 'Maps' }).or(heading(page, 'No maps yet')).waitFor();
  await keptForOffline(page);
  return page;
}

export const link = (page: Page, name: string): Locator => page.getByRole('link', { name });

/** Opens the table of a comparison, and returns the texts of its header cells. */
export async function tableHeads(page: Page): Promise<string[]> {
  await page.locator('details:not([open]) > summary').getByText('All times as a table').press('Enter');
  await page.locator('thead').waitFor();
  return page.locator('thead th').allTextContents();
}
