/** The app of the package's README, in a real browser. */
import { join } from 'node:path';
import { expect } from 'vitest';
import { sharedBrowser } from '../browser/app/shared-browser.ts';
import { startGemba } from './gemba-process.ts';

/** Finds fences whose info string names a file, as in \`\`\`js record.js */
export const filesOf = (markdown: string): [string, string][] =>
  Array.from(markdown.matchAll(/^```\w+ ([\w-]+\.\w+)\n([^]*?)^```$/gm), ([, name, code]) => [name!, code!]);

/**
 * Pairs the app of the README, records without its server, and finds the run there once it is back. With `hasDevtools` the
 * app has a page `devtools.html`, too, which is looked at.
 */
export async function recordWithApp(folder: string, { hasDevtools = false } = {}): Promise<void> {
  const settings = { WEB_DIR: join(folder, 'dist'), DATA_DIR: join(folder, 'app-data') };
  const server = startGemba(folder, { settings });
  const [, url] = await server.until(/listening on (http\S+)/);
  const [, apiKey] = await server.until(/(gk_[\w-]+)/);
  const [, code] = await server.until(/\/pair#(\w{4}-\w{4})/);
  // This app has no views of a computer.
  expect(server.printed()).not.toContain('/desk/');
  if (hasDevtools) await lookAtDevtools(`${url}/devtools.html`);
  const context = await sharedBrowser.newContext({});
  const page = await context.newPage();
  await page.goto(url!);
  await page.getByPlaceholder('Pairing code').fill(code!);
  await page.getByRole('button', { name: 'Pair' }).click();
  await page.getByText('idle, 0 to send').waitFor();
  // The second copy of unsent work needs its worker.
  expect(page.workers()).toHaveLength(1);

  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  await page.getByPlaceholder('Name of a new map').fill('Press line');
  await page.getByRole('button', { name: 'Record it' }).click();
  for (const stage of ['Load', 'Press']) {
    await page.getByPlaceholder('Stage').fill(stage);
    await page.getByRole('button', { name: 'Next step' }).click();
    await page.getByRole('listitem').filter({ hasText: stage }).waitFor();
  }
  await page.getByRole('button', { name: 'Finish' }).click();
  await page.getByRole('button', { name: 'Press line (not sent)' }).waitFor();

  const port = new URL(url!).port;
  await startGemba(folder, { args: ['--port', port], settings }).until(/listening/);
  await page.getByRole('button', { name: 'Press line', exact: true }).waitFor();
  const runs = await fetch(`${url}/api/v1/export/steps.csv`, { headers: { Authorization: `Bearer ${apiKey}` } });
  expect((await runs.text()).match(/,(?:Load|Press),/g)).toHaveLength(2);
}

async function lookAtDevtools(address: string): Promise<void> {
  const page = await (await sharedBrowser.newContext({})).newPage();
  await page.goto(address);
  await page.getByRole('heading', { name: 'Outbox' }).waitFor();
  await page.getByText('Nothing waits, and nothing was refused.').waitFor();
}
