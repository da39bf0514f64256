import { beforeAll, expect, test } from 'vitest';
import { handOverTexts, loadRelayTexts } from '../../text/relay/watch-relay.ts';
import { wordsOf } from './outcome.tsx';

beforeAll(loadRelayTexts);

const notShown = { arrived: 0, refused: 0, tooLarge: 0, isAllSafe: false };

test('[CODES-13] a watch without codes to show says that all is safe only if all is', () => {
  const { allSafe } = handOverTexts;
  expect(wordsOf({ kind: 'nothing', notShown: { ...notShown, isAllSafe: true } })).toMatchObject({ why: allSafe });
  for (const left of [{}, { arrived: 2 }, { refused: 1 }, { tooLarge: 1 }, { arrived: 1, refused: 1, tooLarge: 1 }]) {
    const { why } = wordsOf({ kind: 'nothing', notShown: { ...notShown, ...left } });
    expect(why).not.toContain(allSafe);
    expect(why).not.toBe('');
  }
});

test('[CODES-13] a watch without codes to show counts what lies on it, and says why', () => {
  const outcome = (left: object) => wordsOf({ kind: 'nothing', notShown: { ...notShown, ...left } });
  expect(outcome({ refused: 1 })).toMatchObject({ look: 'warn', why: handOverTexts.notShown.refused(1) });
  expect(outcome({ tooLarge: 2, arrived: 3 })).toMatchObject({
    look: 'warn',
    why: `${handOverTexts.notShown.tooLarge(2)} ${handOverTexts.notShown.arrived(3)}`,
  });
  expect(outcome({ arrived: 3 })).toMatchObject({ look: 'good', why: handOverTexts.notShown.arrived(3) });
});
