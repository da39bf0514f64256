/** The page of the trials: each is a function that returns what the test expects of it, beside the version of React. */
import { version } from 'react';
import * as engines from './engines.ts';
import * as errors from './errors.ts';
import { guideExample } from './guide.ts';
import { hydratedPage } from './hydration.ts';
import * as subscriptions from './subscriptions.ts';
import { thousandUpdates } from './updates.ts';
import * as values from './values.ts';

const trials = {
  ...engines,
  ...errors,
  ...subscriptions,
  ...values,
  guideExample,
  hydratedPage,
  thousandUpdates,
  reactVersion: version,
};

declare global {
  interface Window {
    trials: typeof trials;
  }
}

window.trials = trials;
