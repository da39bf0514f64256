/** A phone of the soak: the app in Chromium, opened by its service worker, whose browser is killed in each recording. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import type { MapRecord } from '../../shared/schema/map.ts';
import type { RunRecord } from '../../shared/schema/run.ts';
import { createUserDataDir, openBrowser, type Browser } from '../browser/browser.ts';
import { keptForOffline, pair, phoneSize } from '../browser/app/devices.ts';
import { expectWork, recordUntilKilled } from '../browser/app/killed-recording.ts';
import { heading, status } from '../browser/app/locators.ts';
import { inPage } from '../browser/in-page.ts';
import type { RestClient } from '../device/test-server.ts';
import { randomBelow, type Random } from '../random.ts';
import { waitMsMax } from '../timeouts.ts';
import type { KnownRecording } from './ledger.ts';
import type { LossyProxy } from './lossy-proxy.ts';
import type { Worker } from './run-soak.ts';

interface PhoneOptions {
  proxy: LossyProxy;
  /** The link that the server printed for its first phone. */
  link: string;
  rest: RestClient;
  random: Random;
}

const offlineMsMax = 4_000;
const pairMsMax = 20_000;
const pairTriesMax = 30;

/** Opens the app for the first time and pairs it. */
export async function openPhone(options: PhoneOptions): Promise<Phone> {
  const folder = await createUserDataDir();
  onTestFinished(() => folder.remove());
  const phone = new Phone(options, folder.path);
  await phone.begin();
  return phone;
}

class Phone implements Worker {
  readonly name = 'the phone';
  readonly recordings: KnownRecording[] = [];
  readonly proxy: LossyProxy;
  readonly #options: PhoneOptions;
  readonly #folder: string;
  #opened: { browser: Browser; page: Page } | undefined;

  constructor(options: PhoneOptions, folder: string) {
    this.#options = options;
    this.#folder = folder;
    this.proxy = options.proxy;
  }

  async begin(): Promise<void> {
    const { link } = this.#options;
    const { page } = await this.#openBrowser();
    await pair(page, this.proxy.url + new URL(link).pathname + new URL(link).hash);
    await keptForOffline(page);
  }

  async #openBrowser(): Promise<{ browser: Browser; page: Page }> {
    const browser = await openBrowser(this.#folder);
    onTestFinished(() => browser.kill());
    const page = await browser.context.newPage();
    await page.setViewportSize(phoneSize);
    this.#opened = { browser, page };
    return this.#opened;
  }

  async work(ending: AbortSignal): Promise<void> {
    const { random } = this.#options;
    while (!ending.aborted) {
      const { browser, page } = this.#opened!;
      await page.goto(this.proxy.url);
      const map = `Phone ${this.recordings.length + 1}`;
      const { steps } = await recordUntilKilled({ browser, page, random, map });
      this.recordings.push({ session: map, steps, mayBeFinished: true });
      await this.#openBrowser();
      await this.#openApp();
      await expectWork(this.#opened!.page, this.proxy.url, { map, steps });
    }
  }

  /** The service worker opens the app, whether or not the server can be reached. */
  async #openApp(): Promise<void> {
    const { page } = this.#opened!;
    await page.goto(this.proxy.url);
    expect(await inPage(page, () => navigator.serviceWorker.controller !== null)).toBe(true);
    const unpaired = heading(page, 'Pair this phone').or(page.getByText(/^No longer paired/));
    await page.getByRole('status', { name: 'Sync' }).or(unpaired).first().waitFor();
    if (await unpaired.first().isVisible()) await this.#pairAgain(page);
  }

  /** Chromium may drop the databases of a killed browser. The second copy has the work and not the token. */
  async #pairAgain(page: Page): Promise<void> {
    const { rest } = this.#options;
    this.proxy.isLossy = false;
    for (let tries = 1; ; tries++) {
      try {
        const wanted = { device_kind: 'phone' };
        const { status: made, body } = await rest.send<{ code: string }>('POST', '/auth/pairing-code', wanted);
        if (made >= 300) throw new Error(`no pairing code: ${made}`);
        page.setDefaultTimeout(pairMsMax);
        await pair(page, `${this.proxy.url}/pair#${body.code}`);
        break;
      } catch (error) {
        if (tries === pairTriesMax) throw error;
        await delay(1_000);
      }
    }
    page.setDefaultTimeout(waitMsMax);
    this.proxy.isLossy = true;
  }

  readonly faults = {
    'no network for the phone': async () => {
      this.proxy.isDown = true;
      await delay(randomBelow(this.#options.random, offlineMsMax));
      this.proxy.isDown = false;
    },
  };

  finishAll = async (): Promise<void> => {};

  /** Expects that the phone calls all of its work safe and shows each map, and learns which runs it made. */
  async expectSettled(): Promise<void> {
    const { rest } = this.#options;
    const { page } = this.#opened!;
    await page.goto(this.proxy.url);
    await status(page, 'All safe on the server').waitFor();
    const maps = await rest.list<MapRecord>('/maps');
    for (const recording of this.recordings) {
      await page.getByText(recording.session, { exact: true }).first().waitFor();
      const map = maps.find(({ name }) => name === recording.session);
      const [run] = map ? await rest.list<RunRecord>(`/maps/${map.id}/runs`) : [];
      recording.session = run?.recording_session_id ?? recording.session;
    }
  }
}
