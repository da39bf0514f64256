/** Walks through the screens of a phone, in any language of the app. */
import type { MapRecord } from '../../../../shared/schema/map.ts';
import { button, heading } from '../locators.ts';
import { times, uploadRecordings } from '../recorded-runs.ts';
import { walkFutureMap, walkImport, walkRunDialogs } from './walk-dialogs.ts';
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

export async function walkPhone(walk: Walk): Promise<void> {
  const { server, page, words, visit } = walk;
  const {
    texts,
    mapMenuTexts,
    stageTexts,
    runTexts,
    runsTexts,
    runEditTexts,
    compareRunsTexts,
    exportTexts,
    importTexts,
    keyTexts,
    deviceTexts,
  } = words;
  await walkPairing(walk, server.link);
  await walkNoMaps(walk);

  const uploaded = await uploadRecordings(server, ...times(4, walkedSteps), walkedOutlier);
  const { mapId, runIds } = uploaded;
  const at = (path: string, screen: string, text: string) => visitPath(walk, { path, screen, text });
  const dialog = (opener: string, screen: string) =>
    visitDialog(walk, () => button(page, opener).first().click(), screen);
  await at('/', 'maps', 'Saw');
  await dialog(texts.maps.new, 'new map');
  await at(`/maps/${mapId}`, 'map', stageTexts.add);
  await dialog(stageTexts.add, 'new stage');
  await dialog(mapMenuTexts.open, 'menu of the map');
  await at(`/maps/${mapId}/runs`, 'runs', runsTexts.compare);
  await dialog(exportTexts.short, 'export of runs');
  await at(`/maps/${mapId}/runs/${runIds[0]}`, 'run', runTexts.remove);
  await dialog(runEditTexts.edit, 'edit run');
  await dialog(runTexts.remove, 'delete run');
  await at(`/maps/${mapId}/runs/${runIds[0]}/steps`, 'steps', runEditTexts.hint);
  await at(`/maps/${mapId}/choose`, 'choose', runsTexts.tooFew);
  await at(`/maps/${mapId}/compare/${runIds.join()}`, 'compare', compareRunsTexts.showTable);
  await at(`/maps/${mapId}/compare/x`, 'compare nothing', compareRunsTexts.emptyTitle);
  await at(`/maps/${mapId}/beside`, 'beside', words.mapsSideBySideTexts.none);
  await at('/maps/bin', 'bin', words.recycleBinTexts.emptyTitle);
  await at('/sync', 'sync', words.syncTexts.last);
  await at('/carry', 'carry', words.carryTexts.open);
  await at('/carry/hand-over', 'nothing to hand over', words.giveHandOverTexts.nothing);
  await at('/attention', 'no problem', words.attentionTexts.emptyTitle);
  await at('/account', 'account', 'Team');
  await at('/account/import', 'import', importTexts.choose);
  await walkImport(walk);
  await at('/devices', 'devices', deviceTexts.thisDevice);
  await at('/devices/keys', 'keys', keyTexts.newKey);
  await dialog(keyTexts.newKey, 'new key');
  await at('/devices/pair/watch', 'pair a watch', words.pairOtherDeviceTexts.waiting.wearable);
  await at('/devices/pair/phone', 'pair a phone', words.pairOtherDeviceTexts.waiting.phone);
  await at('/maps/a/b/c/d/e', 'not found', texts.notFound.text);
  await at('/record', 'no recording', words.recordTexts.nothing);
  await walkRunDialogs(walk, uploaded);
  await walkFutureMap(walk, mapId);

  await page.goto(`${server.url}/maps/${mapId}`);
  await walkFirstStep(walk);
  await dialog(texts.record.more, 'other step');
  await button(page, texts.record.more).click();
  await button(page, texts.record.discard).click();
  await heading(page, words.recordTexts.discarded).waitFor();
  await visit('discarded recording');
  await page.getByRole('button', { name: words.recordTexts.resume('Saw', '') }).click();
  await heading(page, 'Xora').waitFor();
  await page.goto(server.url);
  await page.locator('.running-bar').waitFor();
  await visit('recording bar');
}

/** Walks through a refused recording. Ends on the list of refused changes. */
export async function walkRefusal({ server, page, words, visit }: Walk): Promise<void> {
  const { texts } = words;
  await page.goto(`${server.url}/record`);
  await button(page, texts.record.finish).waitFor();
  await server.kill();
  await button(page, texts.record.finish).click();
  await page.getByText(texts.status.offline).first().waitFor();
  await visit('finished offline');
  await page.goto('about:blank');
  await server.start();
  const map = (await server.rest.list<MapRecord>('/maps')).find(({ name }) => name === 'Saw');
  await server.rest.send('POST', `/maps/${map!.id}/delete`);
  await page.goto(`${server.url}/attention`);
  await button(page, words.attentionTexts.remedies.discard).waitFor();
  await visit('refused');
  await page.goto(`${server.url}/sync`);
  await page.getByText(words.syncTexts.seeAttention).waitFor();
  await visit('sync with a problem');
}
