import { firstValueFrom } from 'rxjs';
import { expect, test } from 'vitest';
import { untilLoaded } from './until-loaded.ts';

test('[DEV-18] code that did not load is tried again', async () => {
  let tries = 0;
  const load = async () => {
    if (++tries === 1) throw new Error('No network');
    return 'the code';
  };
  expect(await firstValueFrom(untilLoaded(load))).toBe('the code');
  expect(tries).toBe(2);
});
