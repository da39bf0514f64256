import { readdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { appVersion } from '../../shared/protocol/version.ts';
import { sharedBrowser, workerNeeded } from '../browser/app/shared-browser.ts';
import type { ServerProcess } from '../contract/server-process.ts';
import { installPackage, run } from '../package/installed-package.ts';
import {
  copyExamples,
  exampleNames,
  examplesFolder,
  killAtOnce,
  linkExample,
  startProgram,
} from './copied-examples.ts';
import { startExampleServer } from './server-of-example.ts';

test('[LIB-9] the examples compile strictly with the installed package, in the versions of this repository', async () => {
  const folder = await copyExamples();
  const root = await readManifest(join(examplesFolder, '..'));
  const ours = { ...root.dependencies, ...root.devDependencies, gemba: appVersion };
  const names = await exampleNames();
  expect(names).toHaveLength(4);
  for (const name of names) {
    const { dependencies, devDependencies } = await readManifest(join(folder, name));
    expect(ours).toMatchObject({ ...dependencies, ...devDependencies });
    await run(process.execPath, ['../node_modules/typescript/bin/tsc'], { cwd: join(folder, name) });
    const files = (await readdir(join(folder, name))).filter((file) => /\.(?:js|tsx?)$/.test(file));
    const sources = await Promise.all(files.map((file) => readFile(join(folder, name, file), 'utf8')));
    const imported = sources.join('\n').matchAll(/ from '((?!node:|\.\/)(?:@[\w-]+\/)?[\w-]+)/g);
    expect(Object.keys(dependencies)).toEqual(expect.arrayContaining([...imported].map(([, imports]) => imports)));
  }
});

test('[LIB-10] [LIB-19] the recorder of 100 lines opens and records without a network, and sends each run once', async () => {
  const folder = join(await copyExamples(), 'recorder');
  expect((await readFile(join(folder, 'main.tsx'), 'utf8')).trimEnd().split('\n').length).toBeLessThanOrEqual(100);
  const build = () => run(process.execPath, ['../node_modules/vite/bin/vite.js', 'build'], { cwd: folder });
  const built = await build();
  expect(built.stderr + built.stdout).not.toMatch(/warn|use client/i);
  const server = await startExampleServer({ WEB_DIR: join(folder, 'dist') });
  const context = await sharedBrowser.newContext({});
  const page = await context.newPage();
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const lapOf = (stage: string) => page.getByRole('listitem').filter({ hasText: stage });
  const lap = async (stage: string) => {
    await button(stage).click();
    await lapOf(stage).waitFor();
  };

  await page.goto(`${server.url}/pair#${server.code}`);
  await button('Pair').click();
  await page.getByText('idle, all sent').waitFor();
  await page.evaluate((needed) => dispatchEvent(new Event(needed)), workerNeeded);
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));

  await context.setOffline(true);
  await server.stop();
  await page.reload();
  await page.getByLabel('New process').fill('Press line');
  await button('Record').click();
  for (const stage of ['Load', 'Press']) {
    await page.getByLabel('Other stage').fill(stage);
    await button('Begin').click();
    await lapOf(stage).waitFor();
  }
  await page.reload();
  await lapOf('Press').waitFor();
  await button('Finish').click();
  await button('Press line (not sent)').click();
  await lap('Load');
  await lap('Press');
  await button('Finish').click();
  await page.getByText('2 to send').waitFor();

  const file = join(folder, 'index.html');
  await writeFile(file, (await readFile(file, 'utf8')).replace('<title>Recorder', '<title>Second build'));
  await build();
  await server.startAgain();
  await context.setOffline(false);
  await page.getByText('idle, all sent').waitFor();
  await button('Press line').waitFor();
  expect(await page.title()).toBe('Recorder');
  await page.evaluate(async () => {
    await caches.open('other');
    await (await navigator.serviceWorker.ready).update();
  });
  const url = page.url();
  await expect.poll(() => titleOfNextPage(page, url)).toBe('Second build');
  const kept = await page.evaluate(() => caches.keys());
  expect(kept).toEqual(expect.arrayContaining(['other']));
  expect(kept.filter((name) => name.startsWith('recorder-'))).toHaveLength(1);
  const steps = await server.request('/export/steps.csv');
  expect(steps.match(/,(?:Load|Press),/g)).toEqual([',Load,', ',Press,', ',Load,', ',Press,']);
});

test('[LIB-11] the kiosk goes on with its recording after kill -9, and sends the run once its server is there', async () => {
  const { project } = await installPackage();
  const folder = await linkExample('kiosk', join(project, 'node_modules'));
  const server = await startExampleServer();
  const start = () =>
    startProgram({ folder, file: 'kiosk.js', environment: { GEMBA_URL: server.url, KIOSK_PORT: '0' } });

  let kiosk = start();
  let ask = await machineOf(kiosk);
  expect(await ask('step Load')).toBe('error nothing is being recorded');
  expect(await ask(`pair ${server.code}`)).toBe('ok');
  await kiosk.until(/state idle, 0 to send, 0 refused, not recording/);
  await server.stop();
  for (const line of ['start Press line', 'step Load', 'step Weld', 'note Jammed']) expect(await ask(line)).toBe('ok');
  expect(await ask('start Paint shop')).toMatch(/^error Finish or discard the recording/);
  expect(await ask('weld')).toBe('error there is no command "weld"');
  await killAtOnce(kiosk);

  kiosk = start();
  ask = await machineOf(kiosk);
  expect(await ask('state')).toContain('recording step 2, Weld');
  expect(await ask(`step ${'x'.repeat(200_000)}`)).toBe('error a line has at most 1000 characters');
  const answers = ['error there is no command "weld"', 'error the last line has no end and was not done', ''];
  expect(await brokenOff(kiosk, 'weld\nstep Wel')).toBe(answers.join('\n'));
  expect(await ask('state')).toContain('recording step 2, Weld');
  expect(await ask('end\r')).toBe('ok');
  expect(await ask('state')).toContain('1 to send, 0 refused, not recording');
  await killAtOnce(kiosk);

  await server.startAgain();
  kiosk = start();
  await kiosk.until(/state idle, 0 to send, 0 refused, not recording/);
  const steps = await server.request('/export/steps.csv');
  expect(steps.match(/,(?:Load|Weld),/g)).toEqual([',Load,', ',Weld,']);
  expect(steps).toContain('Jammed');
  kiosk.child.kill('SIGTERM');
  expect(await kiosk.ended).toBe(0);
});

/** Leaves the page, so that a new worker can take over, and opens it again. */
async function titleOfNextPage(page: Page, url: string): Promise<string> {
  await page.goto('about:blank');
  await page.goto(url);
  return page.title();
}

/** Connects to the kiosk as a machine does. Each line is resolved to its answer. */
async function machineOf(kiosk: ServerProcess): Promise<(line: string) => Promise<string>> {
  const [, port] = await kiosk.until(/listening .*port: (\d+)/);
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  const answers = createInterface({ input: socket })[Symbol.asyncIterator]();
  return async (line) => {
    socket.write(`${line}\n`);
    const { value } = await answers.next();
    return String(value);
  };
}

/** Says the beginning of a line on a connection of its own, as a machine that dies, and resolves to what is answered. */
async function brokenOff(kiosk: ServerProcess, begun: string): Promise<string> {
  const [, port] = await kiosk.until(/listening .*port: (\d+)/);
  const socket = connect(Number(port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.end(begun);
  return text(socket);
}

interface Manifest {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

async function readManifest(folder: string): Promise<Manifest> {
  const manifest: Manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  return manifest;
}
