/** The hooks in StrictMode of React's development build, on real engines. */
import { expect, test } from 'vitest';
import { inPage } from '../in-page.ts';
import { trialsPage } from './trials-page.ts';

const openTrials = trialsPage();

test('[REACT-1] the first render of a hook returns what the device has', async () => {
  const page = await openTrials();
  const { first, last } = await inPage(page, () => window.trials.firstAndLastValues());

  const ofDevice = {
    maps: ['Press line'],
    deletedMaps: ['Old line'],
    map: ['Load'],
    runs: [true],
    run: ['Load'],
    pending: 3,
    recording: true,
  };
  expect(first).toEqual({ ...ofDevice, attention: undefined, custody: undefined });
  expect(last).toEqual({ ...ofDevice, attention: 0, custody: 'device' });
});

test('[REACT-2] hooks return the same objects in 50 renders without a change', async () => {
  const page = await openTrials();
  const { objects, effects } = await inPage(page, () => window.trials.objectsInFiftyRenders());

  expect(Object.keys(objects)).toHaveLength(10);
  expect(new Set(Object.values(objects))).toEqual(new Set([1]));
  // StrictMode runs the first effects twice.
  expect(effects).toBe(2);
});

test('[REACT-3] components show one value of a map in each commit, through 1,000 updates in StrictMode', async () => {
  const page = await openTrials();
  const { torn, names, changesWithinRenders } = await inPage(page, () => window.trials.thousandUpdates());

  expect(torn).toEqual([]);
  expect(names).toBeGreaterThan(800);
  expect(changesWithinRenders).toBeGreaterThan(0);
});

test('[REACT-4] hooks without an id return undefined and subscribe to nothing', async () => {
  const page = await openTrials();
  const seen = await inPage(page, () => window.trials.withoutIds());
  expect(seen).toEqual({ returned: ['undefined'], subscriptions: 0 });
});

test('[REACT-5] [REACT-6] 20 components share one subscription to each observable, which ends with the last of them', async () => {
  const page = await openTrials();
  const { whileMounted, afterwards } = await inPage(page, () => window.trials.sharedSubscriptions());

  const one = [1, 1, 1, 1];
  expect(whileMounted).toEqual({ live: one, total: one });
  expect(afterwards).toEqual([0, 0, 0, 0]);
});

test('[REACT-6] a component that mounts and unmounts 100 times leaves no subscription', async () => {
  const page = await openTrials();
  const { liveMax, total } = await inPage(page, () => window.trials.mountedAndUnmounted());
  expect(liveMax).toBe(1);
  expect(total).toBeGreaterThanOrEqual(100);
});

test('[REACT-7] a render that is never committed ends its subscription after 1 s', async () => {
  const page = await openTrials();
  const { began, endedMs } = await inPage(page, () => window.trials.neverCommitted());
  expect(began).toBeGreaterThan(0);
  expect(endedMs).toBeGreaterThan(900);
});

test('[REACT-8] an observable that each render makes anew gets an error once it would render for ever', async () => {
  const page = await openTrials({ hasErrors: true });
  const seen = await inPage(page, () => window.trials.observablesOfEachRender());

  expect(seen.endless).toEqual([expect.stringContaining('useMemo')]);
  expect(seen.renders).toBeLessThan(1_000);
  expect(seen.wasteful).toEqual([]);
});

test('[REACT-9] the error of an observable goes to the error boundary, whose next attempt works', async () => {
  const page = await openTrials({ hasErrors: true });
  expect(await inPage(page, () => window.trials.failedObservables())).toEqual([
    ['failed: no value', 'works', 'attempts: 2', 'errors: 1'],
    ['failed: no more values', 'works', 'attempts: 2', 'errors: 1'],
  ]);
});

test('[REACT-10] a hook without a provider says what it needs', async () => {
  const page = await openTrials({ hasErrors: true });
  const errors = await inPage(page, () => window.trials.withoutProvider());
  expect(errors).toHaveLength(2);
  for (const message of errors) expect(message).toContain('needs a <GembaProvider>');
});

test('[REACT-11] the provider shows its fallback while it has no engine', async () => {
  const page = await openTrials();
  expect(await inPage(page, () => window.trials.fallbackWithoutEngine())).toEqual([]);
});

test('[REACT-12] with another engine the next commit shows its values alone', async () => {
  const page = await openTrials();
  expect(await inPage(page, () => window.trials.anotherEngine())).toEqual({
    commits: ['of the first, of the first', 'of the second, of the second'],
    subscriptions: 2,
  });
});

test('[REACT-13] components show the last values of a closed engine', async () => {
  const page = await openTrials();
  expect(await inPage(page, () => window.trials.closedEngine())).toEqual({ shown: 'closed: Press line', errors: [] });
});

test('[REACT-14] two components open one engine in StrictMode, which closes after the second has unmounted', async () => {
  const page = await openTrials();
  expect(await inPage(page, () => window.trials.openedOnce())).toEqual({
    opened: ['once'],
    engines: 1,
    closedWhileHeld: false,
    errors: [],
  });
});

test('[REACT-15] another token or name closes the engine and opens another, with none in between', async () => {
  const page = await openTrials();
  expect(await inPage(page, () => window.trials.otherOptions())).toEqual({
    opened: ['one', 'one', 'two'],
    shown: ['opens', '(one a)', 'opens', '(one b)', 'opens', '(two b)'],
    closed: [true, true, false],
  });
});

test('[REACT-16] [REACT-17] a failed opening goes to the error boundary, and so does a name that is held', async () => {
  const page = await openTrials({ hasErrors: true });
  const { refused, held, shownMeanwhile } = await inPage(page, () => window.trials.failedOpenings());
  expect(refused).toEqual(['not now']);
  expect(held).toEqual([expect.stringContaining('Another component holds')]);
  expect(shownMeanwhile).toBe('(refused )');
});

test('[REACT-19] a page hydrates without a mismatch, and then shows what the device has', async () => {
  const page = await openTrials();
  const seen = await inPage(page, () => window.trials.hydratedPage());
  expect(seen).toEqual({
    html: 'undefined undefined true',
    subscriptionsOfServer: 0,
    mismatches: [],
    firstCommit: 'undefined undefined true',
    subscriptions: [1, 1, 1],
  });
});

test('[REACT-20] the example of the guide works as it reads', async () => {
  const page = await openTrials();
  expect(await inPage(page, () => window.trials.guideExample())).toEqual({
    maps: ['Line 2', 'Line 1'],
    status: ['2 to send'],
  });
});
