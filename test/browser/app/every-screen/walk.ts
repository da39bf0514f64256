/** Pairs a device in any language of the app, and visits its screens and dialogs. */
import type { Page } from 'playwright-core';
import { inPage } from '../../in-page.ts';
import type { AppServer } from '../app-server.ts';
import type { AppTexts } from '../app-words.ts';
import { keptForOffline } from '../devices.ts';
import { button, heading } from '../locators.ts';

export interface Walk {
  server: AppServer;
  page: Page;
  words: AppTexts;
  /** Goes to each screen within the open page, as by a link, instead of loading the page anew. */
  staysInPage?: boolean;
  /** Called on each screen and in each dialog. */
  visit(screen: string): Promise<void>;
}

/** Names that are no words of a language, so that a walk can tell them from the app's words. */
export const walkedSteps = [
  {
    stage_name: 'Xora',
    duration_secs: 20.5,
    work_type: 'incidental' as const,
    notes: 'Qzx 12',
    // A photo that no device has sent yet.
    photos: [`sha256:${'0'.repeat(64)}`],
  },
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
  { server, page, staysInPage, visit }: Walk,
  { path, screen, text }: { path: string; screen: string; text: string },
): Promise<void> {
  if (staysInPage) await inPage(page, showPath, path);
  else await page.goto(`${server.url}${path}`);
  await page.getByText(text, { exact: true }).locator('visible=true').first().waitFor();
  await visit(screen);
}

/** Follows a link in the page, and resolves when the screen has been drawn. */
async function showPath(path: string): Promise<void> {
  history.pushState(null, '', path);
  dispatchEvent(new PopStateEvent('popstate'));
  for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame);
}

/** Visits the dialog that `open` opens, and closes it. */
export async function visitDialog({ page, visit }: Walk, open: () => Promise<void>, screen: string): Promise<void> {
  await open();
  await page.locator('dialog[open]').waitFor();
  await visit(screen);
  await page.keyboard.press('Escape');
  await page.locator('dialog[open]').waitFor({ state: 'detached' });
}

/** Begins a recording on the screen of a map, and starts its first step. */
export async function walkFirstStep({ page, words: { texts }, visit }: Walk): Promise<void> {
  await button(page, texts.map.record).click();
  await heading(page, texts.record.firstStepHint).waitFor();
  await visit('recorder before its first step');
  await button(page, texts.record.nextNamed('Xora')).click();
  await heading(page, 'Xora').waitFor();
  await visit('recorder');
}
