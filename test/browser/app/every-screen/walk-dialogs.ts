/** Walks through the dialogs and the folded parts of a phone's screens, and through the question about a future map. */
import type { MapRecord } from '../../../../shared/schema/map.ts';
import { atWorkersPace, button, finish, heading } from '../locators.ts';
import { visitDialog, visitPath, type Walk } from './walk.ts';

interface Uploaded {
  mapId: string;
  runIds: readonly number[];
}

/** Visits what the screens of runs and of a comparison open on demand. */
export async function walkRunDialogs(walk: Walk, { mapId, runIds }: Uploaded): Promise<void> {
  const { page, words, visit } = walk;
  const { runTexts, runsTexts, runEditTexts, trendTexts, applyTimesTexts, replaceStagesTexts } = words;
  const { compareRunsTexts, exclusionTexts, timeStudyTexts } = words;
  const at = (path: string, screen: string, text: string) =>
    visitPath(walk, { path: `/maps/${mapId}${path}`, screen, text });
  const dialog = (opener: string, screen: string) =>
    visitDialog(walk, () => button(page, opener).first().click(), screen);
  await at('/runs', 'runs', runsTexts.compare);
  await page.getByText(trendTexts.title).click();
  await page.getByLabel(trendTexts.fromDate).waitFor();
  await visit('trend');
  await at(`/runs/${runIds[0]}`, 'run', runTexts.remove);
  await dialog(exclusionTexts.exclude, 'exclude run');
  await dialog(applyTimesTexts.ofRun, 'times of a run for the map');
  await dialog(replaceStagesTexts.use, 'stages of a run for the map');
  await at(`/runs/${runIds[0]}/steps`, 'steps', runEditTexts.hint);
  const step = page.getByRole('button', { name: /Xora/ }).first();
  await visitDialog(walk, () => step.click(), 'step');

  await at(`/compare/${runIds.join()}`, 'compare', compareRunsTexts.showTable);
  await dialog(applyTimesTexts.ofMedians, 'medians for the map');
  const outlier = page.getByRole('button', { name: compareRunsTexts.outlier(5, '').replace(/\s*$/, '') });
  await visitDialog(walk, () => outlier.first().click(), 'exclude outlier');
  await page.getByRole('textbox', { name: timeStudyTexts.takt }).fill('0:50');
  await page.getByText(timeStudyTexts.overTakt, { exact: true }).first().waitFor();
  await visit('comparison with takt time');
  await page.getByText(timeStudyTexts.standard, { exact: true }).first().click();
  await page.getByLabel(timeStudyTexts.allowance).fill('10');
  await visit('comparison with standard times');
}

/** Visits the report of an import of a wrong file, and that of a right one. Starts on the screen of an import. */
export async function walkImport({ page, words: { importTexts }, visit }: Walk): Promise<void> {
  const give = (...rows: string[]) =>
    page.locator('input[type=file]').setInputFiles({
      name: 'Qzx.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(['case_id,map_name,activity,duration_secs,Yvel', ...rows].join('\n')),
    });
  await give('1,Wexo,Xora,Zylo,9', '2,Wexo,,5,9');
  await page.getByText(importTexts.errors(2)).waitFor();
  await visit('import with errors');
  await give('1,Wexo,Xora,5,9');
  await button(page, importTexts.start(1)).waitFor();
  await visit('import without errors');
}

/** Visits two maps side by side, and the question about a recording of a future map, which it then answers. */
export async function walkFutureMap(walk: Walk, currentId: string): Promise<void> {
  const { server, page, words, visit } = walk;
  const { texts } = words;
  const id = await createFutureMap(walk);
  const path = `/maps/${currentId}/beside/${id}`;
  await visitPath(walk, { path, screen: 'current beside future', text: words.mapsSideBySideTexts.byStage });
  await page.goto(`${server.url}/maps/${id}`);
  await button(page, texts.map.record).click();
  await button(page, texts.record.nextNamed('Wexo')).click();
  await heading(page, 'Wexo').waitFor();
  await atWorkersPace(page);
  await button(page, texts.record.nextNamed('Yvel')).click();
  await heading(page, 'Yvel').waitFor();
  await page.getByRole('button', { name: /^Wexo/ }).click();
  await page.getByRole('group', { name: texts.record.edit('Wexo') }).waitFor();
  await visit('editor of a step');
  await button(page, texts.record.edit('Yvel')).click();
  await page.getByRole('group', { name: texts.record.edit('Yvel') }).waitFor();
  await visit('editor of the step now');
  await visitDialog(walk, () => finish(page, texts.record.finish), 'what becomes of the map');
  await finish(page, texts.record.finish);
  await button(page, words.recordTexts.ask.modes.keep).click();
  await heading(page, 'Zylo').waitFor();
  await visit('finished with undo');
}

/** Creates a map of a future state. Its names are no words of a language. */
export async function createFutureMap({ server }: Pick<Walk, 'server'>): Promise<string> {
  const { body } = await server.rest.send<MapRecord>('POST', '/maps', { name: 'Zylo', state: 'future' });
  const stages = ['Wexo', 'Yvel'].map((stage) => ({ stage, cycle_time_hrs: 0.01 }));
  await server.rest.send('POST', `/maps/${body.id}/stages/replace`, { stages });
  return body.id;
}
