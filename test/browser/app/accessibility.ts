/** Runs axe-core on a page, in light and in dark. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { CDPSession, Page } from 'playwright-core';
import { expect } from 'vitest';

const axeSource = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export const colorSchemes = ['light', 'dark'] as const;

/** The rules whose verdict depends on colours; the page is the same in light and in dark for all others. */
const colorRules = ['color-contrast', 'link-in-text-block'];

export async function expectNoViolations(page: Page): Promise<void> {
  expect(await findViolationsInBothSchemes(page), page.url()).toEqual([]);
  await restoreColors(page);
}

/**
 * Expects that axe finds nothing in light or in dark, whose turn it is in this test. The walks through every screen look at
 * each in both, so that states of a screen need one of them.
 */
export async function expectNoViolationsInOneScheme(page: Page): Promise<void> {
  const { currentTestName = '' } = expect.getState();
  const turn = (turns.get(currentTestName) ?? currentTestName.length) + 1;
  turns.set(currentTestName, turn);
  await switchColorScheme(page, colorSchemes[turn % colorSchemes.length]!);
  await expectNoViolationsNow(page);
  await restoreColors(page);
}

/** The last turn of each test. The length of its name decides the first one, so that tests with one look differ. */
const turns = new Map<string, number>();

/** Expects that axe finds nothing in the colours that the page has now. */
export async function expectNoViolationsNow(page: Page): Promise<void> {
  expect(await findViolationsNow(page), page.url()).toEqual([]);
}

/** Runs axe-core in the colours that the page has now. */
export const findViolationsNow = (page: Page): Promise<string[]> => findViolations(page);

/** Runs axe-core in the colours that the page has now, but only the rules about colours. */
export const findViolationsOfColor = (page: Page): Promise<string[]> => findViolations(page, colorRules);

/** Runs axe-core in light and then in dark, which stays on until `restoreColors`. */
export async function findViolationsInBothSchemes(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of colorSchemes) {
    await switchColorScheme(page, colorScheme);
    const violations = await (colorScheme === 'light' ? findViolationsNow(page) : findViolationsOfColor(page));
    found.push(...violations.map((violation) => `${colorScheme}: ${violation}`));
  }
  return found;
}

export const restoreColors = (page: Page): Promise<void> =>
  page.emulateMedia({ colorScheme: null, forcedColors: null, reducedMotion: null });

/** Switches between light and dark. */
export async function switchColorScheme(page: Page, colorScheme: (typeof colorSchemes)[number]): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await untilColorsChanged(page);
}

/** Resolves when all colours have changed, which takes a frame or two. */
export async function untilColorsChanged(page: Page): Promise<void> {
  await page.evaluate(async () => {
    // Leave out transitions inside closed details, which never finish.
    const isVisible = ({ effect }: Animation) => effect instanceof KeyframeEffect && effect.target?.checkVisibility();
    const transitions = () =>
      document.getAnimations().filter((animation) => animation instanceof CSSTransition && isVisible(animation));
    do {
      await Promise.allSettled(transitions().map(({ finished }) => finished));
      await new Promise(requestAnimationFrame);
      // Check again after a frame, since an inherited colour changes after that of its parent.
    } while (transitions().length > 0);
  });
}

/**
 * Returns each violation with its rule, its place and the reason. axe looks at the page for a while, in which a message
 * may come or go, so a second look decides. What only the first look found is printed.
 */
async function findViolations(page: Page, rules?: string[]): Promise<string[]> {
  const first = await findViolationsOnce(page, rules);
  if (first.length === 0) return first;
  const second = await findViolationsOnce(page, rules);
  const gone = first.filter((violation) => !second.includes(violation));
  if (gone.length > 0) console.log(`axe found at its first look alone, on ${page.url()}:\n${gone.join('\n')}`);
  return second;
}

async function findViolationsOnce(page: Page, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await addAxe(page);
  return page.evaluate(async (runOnly) => {
    const { axe } = window as unknown as { axe: Axe };
    const found = await axe.run(document, {
      resultTypes: ['violations'],
      elementRef: true,
      ...(runOnly && { runOnly }),
    });
    // A message that went meanwhile has no text in its button, and another element may fit its selector.
    return found.violations.flatMap(({ id, nodes }) =>
      nodes
        .filter(({ element }) => element?.isConnected)
        .map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
    );
  }, rules);
}

/**
 * Adds the script as developer tools do, which the page's content security policy allows. A process compiles it once then,
 * while `page.evaluate` has it compiled on each page.
 */
async function addAxe(page: Page): Promise<void> {
  const session = sessions.get(page) ?? page.context().newCDPSession(page);
  sessions.set(page, session);
  await (await session).send('Runtime.evaluate', { expression: axeSource });
}

/** A new session for each page that is loaded would cost half of what is saved. */
const sessions = new WeakMap<Page, Promise<CDPSession>>();

interface Axe {
  run(context: Document, options: object): Promise<{ violations: { id: string; nodes: AxeNode[] }[] }>;
}

interface AxeNode {
  element?: Element;
  target: string[];
  failureSummary: string;
}
