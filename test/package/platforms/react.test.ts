import { version } from 'react';
import { expect, test } from 'vitest';
import { inPage } from '../../browser/in-page.ts';
import { trialsPage } from '../../browser/react/trials-page.ts';

const openTrials = trialsPage();

test('[LIB-27] the tests of the hooks take React 18, in a browser and on a server', async () => {
  const page = await openTrials();

  expect(version).toMatch(/^18\./);
  expect(await inPage(page, () => window.trials.reactVersion)).toBe(version);
});
