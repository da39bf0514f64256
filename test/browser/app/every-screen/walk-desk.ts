/** Leads a desk through its screens, in any language of the app. */
import type { MapRecord } from '../../../../shared/schema/map.ts';
import { button } from '../locators.ts';
import { uploadRecordings, times } from '../recorded-runs.ts';
import {
  visitDialog,
  visitPath,
  walkedOutlier,
  walkedSteps,
  walkFirstStep,
  walkNoMaps,
  walkPairing,
  type Walk,
} from './walk.ts';

export async function walkDesk(walk: Walk): Promise<void> {
  const { server, page, words, visit } = walk;
  const { texts, deskTexts, mapMenuTexts, runEditTexts, runTexts, compareRunsTexts, mapsSideBySideTexts } = words;
  await walkPairing(walk, await server.newLink('desk'));
  await walkNoMaps(walk);

  const { mapId, runIds } = await uploadRecordings(server, ...times(4, walkedSteps), walkedOutlier);
  const { body: future } = await server.rest.send<MapRecord>('POST', '/maps', { name: 'Zylo', state: 'future' });
  const at = (path: string, screen: string, text: string) => visitPath(walk, { path: `/desk${path}`, screen, text });
  const dialog = (open: () => Promise<void>, screen: string) => visitDialog(walk, open, screen);
  const menu = async (screen: string) => {
    await button(page, deskTexts.menu).last().click();
    await page.getByRole('menu').waitFor();
    await visit(screen);
    await page.keyboard.press('Escape');
  };
  const menuItem = (name: string) => async () => {
    await button(page, deskTexts.menu).last().click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  };
  await at('', 'maps', 'Zylo');
  await dialog(() => button(page, texts.maps.new).click(), 'new map');
  await at(`/maps/${mapId}`, 'map', deskTexts.compare);
  await menu('menu of the map');
  await dialog(menuItem(mapMenuTexts.edit), 'edit map');
  await dialog(menuItem(words.exportTexts.runs), 'export of runs');
  await page.getByRole('radio', { name: deskTexts.lists.stages }).check({ force: true });
  await visit('stages');
  await dialog(() => button(page, words.stageTexts.add).click(), 'new stage');
  await page.getByRole('radio', { name: deskTexts.lists.runs }).check({ force: true });
  await at(`/maps/${mapId}/runs/${runIds[0]}`, 'run', runTexts.steps);
  await menu('menu of the run');
  await dialog(menuItem(runEditTexts.edit), 'edit run');
  await dialog(menuItem(runTexts.remove), 'delete run');
  await at(`/maps/${mapId}/runs/${runIds[0]}/steps`, 'steps', runEditTexts.hint);
  await at(`/maps/${mapId}/compare/${runIds.join()}`, 'comparison', compareRunsTexts.showTable);
  await page.getByRole('textbox', { name: words.timeStudyTexts.takt }).fill('1:30');
  await page.getByText(words.timeStudyTexts.overTakt, { exact: true }).first().waitFor();
  await page.getByText(compareRunsTexts.showTable).click();
  await visit('comparison with takt time and table');
  await button(page, deskTexts.widen).click();
  await visit('comparison of the whole width');
  await button(page, deskTexts.narrow).click();
  await at(`/maps/${mapId}/beside`, 'maps to compare with', mapsSideBySideTexts.choose);
  await at(`/maps/${mapId}/beside/${future.id}`, 'current beside future', mapsSideBySideTexts.byStage);
  await at('/maps/bin', 'bin', words.recycleBinTexts.emptyTitle);
  await at('/sync', 'sync', words.syncTexts.last);
  await at('/attention', 'no problem', words.attentionTexts.emptyTitle);
  await at('/account', 'account', 'Team');
  await at('/account/import', 'import', words.importTexts.choose);
  await at('/devices', 'devices', words.deviceTexts.thisDevice);
  await at('/devices/keys', 'keys', words.keyTexts.newKey);
  await dialog(() => button(page, words.keyTexts.newKey).click(), 'new key');
  await at('/devices/pair/phone', 'pair a phone', words.pairOtherDeviceTexts.waiting.phone);
  await at('/maps/a/b/c/d/e', 'not found', texts.notFound.text);
  await at('/record', 'no recording', words.recordTexts.nothing);
  await dialog(() => page.getByRole('button', { name: deskTexts.keys.title }).click(), 'keys of the keyboard');

  await page.goto(`${server.url}/desk/maps/${mapId}`);
  await walkFirstStep(walk);
  await page.goto(`${server.url}/desk/account`);
  await page.locator('.running-bar').waitFor();
  await page.getByText('Team', { exact: true }).waitFor();
  await visit('account beside a recording');
  await server.kill();
  await page.goto(`${server.url}/desk/devices`);
  await page.getByText(texts.status.offline).first().waitFor();
  await visit('devices offline');
  await server.start();
}
