/** Walks through the screens of a phone and of a watch, in any language of the app. */
import type { Page } from 'playwright-core';
import type { MapRecord } from '../../../shared/schema/map.ts';
import type { AppServer } from './app-server.ts';
import type { AppTexts } from './app-words.ts';
import { keptForOffline } from './devices.ts';
import { atWorkersPace, button, finish, heading } from './locators.ts';
import { uploadRecordings, times } from './recorded-runs.ts';

export interface Walk {
  server: AppServer;
  page: Page;
  words: AppTexts;
  /** Called on each screen and in each dialog. */
  visit(screen: string): Promise<void>;
}

/** Names that are no words of a language, so that a walk can tell them from the app's words. */
export const walkedSteps = [
  { stage_name: 'Xora', duration_secs: 20.5, work_type: 'incidental' as const, notes: 'Qzx 12' },
  { stage_name: 'Yvel', duration_secs: 60.5, work_type: 'valuable' as const },
];
export const walkedOutlier = walkedSteps.map((step) => ({ ...step, duration_secs: step.duration_secs * 4 }));

/** Pairs the device by the link and joins the account. */
export async function walkPairing({ page, words, visit }: Walk, link: string): Promise<void> {
  const { pairTexts } = words;
  await page.goto(link);
  await button(page, pairTexts.submit).waitFor();
  await visit('pair');
  await button(page, pairTexts.submit).click();
  await button(page, pairTexts.join.submit).waitFor();
  await visit('join');
  await button(page, pairTexts.join.submit).click();
}

/** Waits on the list of maps, which has no map yet, until the app works offline. */
export async function walkNoMaps({ page, words, visit }: Walk): Promise<void> {
  const { texts, noMapsTexts } = words;
  await page.getByText(noMapsTexts.empty.title).waitFor();
  await page.getByText(texts.status.safe).first().waitFor();
  await keptForOffline(page);
  await visit('no maps');
}

/** Visits the screen at the path as soon as it shows the text. */
export async function visitPath(
  { server, page, visit }: Walk,
  { path, screen, text }: { path: string; screen: string; text: string },
): Promise<void> {
  await page.goto(`${server.url}${path}`);
  await page.getByText(text, { exact: true }).locator('visible=true').first().waitFor();
  await visit(screen);
}

/** Visits the dialog that `open` opens, and closes it. */
export async function visitDialog({ page, visit }: Walk, open: () => Promise<void>, screen: string): Promise<void> {
  await open();
  await page.locator('dialog[open]').waitFor();
  await visit(screen);
  await page.keyboard.press('Escape');
  await page.locator('dialog[open]').waitFor({ state: 'detached' });
}

export async function walkPhone(walk: Walk): Promise<void> {
  const { server, page, words, visit } = walk;
  const { texts, mapMenuTexts, stageTexts, runTexts, runsTexts, runEditTexts, compareTexts, keyTexts, deviceTexts } =
    words;
  await walkPairing(walk, server.link);
  await walkNoMaps(walk);

  const { mapId, runIds } = await uploadRecordings(server, ...times(4, walkedSteps), walkedOutlier);
  const at = (path: string, screen: string, text: string) => visitPath(walk, { path, screen, text });
  const dialog = (opener: string, screen: string) =>
    visitDialog(walk, () => button(page, opener).first().click(), screen);
  await at('/', 'maps', 'Saw');
  await dialog(texts.maps.new, 'new map');
  await at(`/maps/${mapId}`, 'map', stageTexts.add);
  await dialog(stageTexts.add, 'new stage');
  await dialog(mapMenuTexts.open, 'menu of the map');
  await at(`/maps/${mapId}/runs`, 'runs', runsTexts.compare);
  await at(`/maps/${mapId}/runs/${runIds[0]}`, 'run', runTexts.remove);
  await dialog(runEditTexts.edit, 'edit run');
  await dialog(runTexts.remove, 'delete run');
  await at(`/maps/${mapId}/runs/${runIds[0]}/steps`, 'steps', runEditTexts.hint);
  await at(`/maps/${mapId}/choose`, 'choose', runsTexts.tooFew);
  await at(`/maps/${mapId}/compare/${runIds.join()}`, 'compare', compareTexts.showTable);
  await at(`/maps/${mapId}/compare/x`, 'compare nothing', compareTexts.emptyTitle);
  await at(`/maps/${mapId}/beside`, 'beside', words.besideTexts.none);
  await at('/maps/bin', 'bin', words.binTexts.emptyTitle);
  await at('/sync', 'sync', words.syncTexts.last);
  await at('/attention', 'no problem', words.attentionTexts.emptyTitle);
  await at('/account', 'account', 'Team');
  await at('/devices', 'devices', deviceTexts.thisDevice);
  await at('/devices/keys', 'keys', keyTexts.newKey);
  await dialog(keyTexts.newKey, 'new key');
  await at('/devices/pair/watch', 'pair a watch', words.pairingTexts.waiting.wearable);
  await at('/devices/pair/phone', 'pair a phone', words.pairingTexts.waiting.phone);
  await at('/maps/a/b/c/d/e', 'not found', texts.notFound.text);
  await at('/record', 'no recording', texts.record.nothing);

  await page.goto(`${server.url}/maps/${mapId}`);
  await button(page, texts.map.record).click();
  await heading(page, texts.record.firstStepHint).waitFor();
  await visit('recorder before its first step');
  await button(page, texts.record.nextNamed('Xora')).click();
  await heading(page, 'Xora').waitFor();
  await visit('recorder');
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
  const [map] = await server.rest.list<MapRecord>('/maps');
  await server.rest.send('POST', `/maps/${map!.id}/delete`);
  await page.goto(`${server.url}/attention`);
  await button(page, words.attentionTexts.remedies.discard).waitFor();
  await visit('refused');
  await page.goto(`${server.url}/sync`);
  await page.getByText(words.syncTexts.seeAttention).waitFor();
  await visit('sync with a problem');
}

export async function walkWatch(walk: Walk): Promise<void> {
  const { server, page, words, visit } = walk;
  const { texts, watchTexts } = words;
  await uploadRecordings(server, walkedSteps);
  await walkPairing(walk, await server.newLink('wearable'));
  await button(page, 'Saw').waitFor();
  await visit('start');
  await button(page, 'Saw').click();
  await button(page, texts.record.nextNamed('Xora')).waitFor();
  await visit('before the first step');
  await button(page, texts.record.nextNamed('Xora')).click();
  await heading(page, 'Xora').waitFor();
  await atWorkersPace(page);
  await visit('recording');
  await button(page, watchTexts.more).click();
  await visit('more');
  await button(page, watchTexts.note).click();
  await visit('note');
  await button(page, texts.back).click();
  await button(page, watchTexts.newName).click();
  await visit('name');
  await button(page, texts.back).click();
  await button(page, texts.record.edit('Xora')).click();
  await visit('edit');
  await button(page, watchTexts.rename).click();
  await visit('rename');
  await button(page, texts.back).click();
  await button(page, texts.back).click();
  await button(page, texts.record.pause).click();
  await page.getByText(texts.record.paused).waitFor();
  await visit('paused');
  await button(page, texts.record.interruption).click();
  await heading(page, texts.record.interruption).waitFor();
  await visit('interruption');
  await atWorkersPace(page);
  await button(page, texts.record.backToNamed('Xora')).click();
  await heading(page, 'Xora').waitFor();
  await atWorkersPace(page);
  await button(page, texts.record.nextNamed('Yvel')).click();
  await heading(page, 'Yvel').waitFor();
  await finish(page, texts.record.finish);
  await button(page, watchTexts.done).waitFor();
  await visit('finished');
  await button(page, watchTexts.done).click();
  await button(page, watchTexts.newProcess).click();
  await button(page, texts.record.firstStep).click();
  await heading(page, texts.record.step(1)).waitFor();
  await visit('new map');
  await button(page, watchTexts.more).click();
  await button(page, texts.record.discard).click();
  await page.getByText(watchTexts.discarded).waitFor();
  await visit('discarded');
  await button(page, watchTexts.done).click();
  await heading(page, texts.record.title).waitFor();
  await visit('start with a discarded recording');
}
