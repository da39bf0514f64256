/**
 * Functions of the tests that run in a page. Each runs in a new task of the page, under the page's content security policy.
 * Code in Playwright's own task, microtasks included, may compile strings in spite of the policy.
 */
import type { JSHandle, Page } from 'playwright-core';
import { waitMsMax } from '../timeouts.ts';

export async function inPage<Given extends unknown[], Result>(
  page: Page,
  work: (...given: Given) => Result,
  ...given: Given
): Promise<Awaited<Result>> {
  const call = (await page.evaluateHandle(`(${work})`)) as JSHandle<typeof work>;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`the page has not ended: ${work}`)), waitMsMax);
  });
  const called = page.evaluate(callInTask as never, { call, given }) as Promise<Awaited<Result>>;
  return Promise.race([called, late]).finally(() => clearTimeout(timer));
}

/** Makes a function that runs in several pages or several times. */
export const pageVerb =
  <Given extends unknown[], Result>(work: (...given: Given) => Result) =>
  (page: Page, ...given: Given): Promise<Awaited<Result>> =>
    inPage(page, work, ...given);

interface Call {
  call: (...given: unknown[]) => unknown;
  given: unknown[];
}

const callInTask = ({ call, given }: Call): Promise<unknown> =>
  new Promise((resolve, reject) => {
    setTimeout(() =>
      Promise.resolve()
        .then(() => call(...given))
        .then(resolve, reject),
    );
  });
