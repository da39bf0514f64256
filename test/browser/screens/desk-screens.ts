/** Pictures of the desk on the maps and runs of the phone's pictures, starting at pairing. */
import type { MapRecord } from '../../../shared/schema/map.ts';
import type { RunDoc } from '../../../shared/schema/run.ts';
import { atWorkersPace, button, heading, join, nextStep, status } from '../app/locators.ts';
import { orderToDelivery } from './map-screens.ts';
import { deskSize as size, mapId } from './desk-stage.ts';
import { deskFileScreens } from './file-screens.ts';
import type { Screen, ScreenStage } from './screen.ts';

async function runsPath(stage: ScreenStage): Promise<{ path: string; ids: number[] }> {
  const id = await mapId(stage, 'Press line');
  const runs = await stage.rest.list<RunDoc>(`/maps/${id}/runs`);
  return { path: `${stage.url}/desk/maps/${id}`, ids: runs.map((run) => run.id).toSorted((a, b) => a - b) };
}

export const deskScreens: Screen[] = [
  {
    name: 'desk/maps/maps',
    size,
    go: async ({ page, link }) => {
      await page.goto(await link('desk'));
      await join(page);
      await heading(page, 'No map selected').waitFor();
      await status(page, 'All safe on the server').waitFor();
    },
  },
  {
    name: 'desk/maps/map',
    size,
    go: async (stage) => {
      const { path } = await runsPath(stage);
      await stage.page.goto(path);
      await stage.page.getByRole('img', { name: /^Total times of/ }).waitFor();
    },
  },
  {
    name: 'desk/maps/menu',
    size,
    go: async ({ page }) => {
      await button(page, 'Actions').click();
      await page.getByRole('menuitem', { name: 'Plan the future state' }).waitFor();
    },
  },
  {
    name: 'desk/maps/beside',
    size,
    go: async (stage) => {
      const { page, rest, url } = stage;
      const { body: future } = await rest.send<MapRecord>('POST', '/maps', {
        name: 'Order to delivery, one flow',
        state: 'future',
      });
      for (const times of orderToDelivery.filter(({ work_type }) => work_type !== 'waste')) {
        const wait_time_hrs = 'wait_time_hrs' in times ? times.wait_time_hrs / 4 : 0;
        await rest.send('POST', `/maps/${future.id}/stages`, { ...times, wait_time_hrs });
      }
      await page.goto(`${url}/desk/maps/${await mapId(stage, 'Order to delivery')}/beside/${future.id}`);
      await heading(page, 'Difference by stage').waitFor();
    },
  },
  {
    name: 'desk/runs/run',
    size,
    go: async (stage) => {
      const { path, ids } = await runsPath(stage);
      await stage.page.goto(`${path}/runs/${ids[4]}`);
      await heading(stage.page, 'Run 5').waitFor();
    },
  },
  {
    name: 'desk/runs/compare',
    size,
    go: async (stage) => {
      const { path, ids } = await runsPath(stage);
      await stage.page.goto(`${path}/compare/${ids.slice(1, 6).join()}`);
      await stage.page.getByRole('textbox', { name: 'Takt time' }).fill('8:30');
      await stage.page.getByText(/over the takt time/).waitFor();
      // The address bar of a browser has the focus when a person only looks.
      await stage.page.evaluate('document.activeElement.blur()');
      await stage.page.evaluate('document.querySelector("[data-pane=\'3\']").scrollTo(0, 0)');
    },
  },
  {
    name: 'desk/runs/stages',
    size,
    go: async ({ page }) => {
      await page.evaluate('document.querySelector("[data-pane=\'3\']").scrollTo(0, 9999)');
    },
  },
  {
    name: 'desk/runs/compare-wide',
    size,
    go: async ({ page }) => {
      await page.keyboard.press('w');
      await page.evaluate('document.querySelector("[data-pane=\'3\']").scrollTo(0, 0)');
    },
  },
  {
    name: 'desk/account/devices',
    size,
    go: async ({ page, url }) => {
      await page.goto(`${url}/desk/devices`);
      await page.getByText('Watch of the early shift').waitFor();
    },
  },
  {
    name: 'desk/account/account',
    size,
    go: async ({ page, url }) => {
      await page.goto(`${url}/desk/account`);
      await page.getByText('Team', { exact: true }).waitFor();
    },
  },
  {
    name: 'desk/account/keys',
    size,
    go: async ({ page }) => {
      await page.keyboard.press('?');
      await heading(page, 'Keys').waitFor();
    },
  },
  ...deskFileScreens,
  {
    name: 'desk/runs/record',
    size,
    go: async (stage) => {
      const { path } = await runsPath(stage);
      const { page } = stage;
      await page.goto(path);
      await button(page, 'Record').click();
      for (const step of ['Load', 'Press']) {
        await atWorkersPace(page);
        await nextStep(page, step).click();
        await heading(page, step).waitFor();
      }
    },
  },
  {
    name: 'desk/maps/recording-bar',
    size,
    go: async (stage) => {
      const { path } = await runsPath(stage);
      await stage.page.goto(path);
      await stage.page.locator('.running-bar').waitFor();
    },
  },
];
