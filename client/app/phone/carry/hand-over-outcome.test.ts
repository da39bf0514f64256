import { beforeAll, expect, test } from 'vitest';
import { GembaError, type HandOverProgress, type HandOverResult } from '../../../client.ts';
import { giveHandOverTexts, loadRelayTexts, takeHandOverTexts } from '../../text/relay/phone-relay.ts';
import { handOverOutcomeContent, canTryAgain, type HandOverOutcome } from './hand-over-outcome.ts';
import { takeOverOutcomeContent } from './take-over-outcome.ts';

beforeAll(loadRelayTexts);

const nothing: HandOverProgress = {
  recordings: 20,
  changes: 0,
  bytes: 9_000,
  givenRecordings: 0,
  givenBytes: 0,
  safeRecordings: 0,
  refused: 0,
  isSettled: false,
};
const given = { ...nothing, givenRecordings: 20, givenBytes: 9_000 };
const met = (ended: HandOverResult['ended'], progress: HandOverProgress | undefined = given): HandOverOutcome => ({
  kind: 'met',
  ended,
  progress,
  problem: null,
});

test('[APP-562] a phone says that its work is safe only if a pull has told of all of it, and offers no other try then', () => {
  const safe = met('done', { ...given, safeRecordings: 20, isSettled: true });
  expect(handOverOutcomeContent(safe)).toMatchObject({ ...giveHandOverTexts.ended.safe, look: 'good' });
  expect(handOverOutcomeContent(safe).lines).toEqual([giveHandOverTexts.given(20, 20), giveHandOverTexts.safe(20)]);
  const almost = met('done', { ...given, safeRecordings: 19 });
  expect(handOverOutcomeContent(almost)).toMatchObject(giveHandOverTexts.ended.handed);
  expect(handOverOutcomeContent(almost).lines).toEqual([giveHandOverTexts.given(20, 20), giveHandOverTexts.safe(19)]);
  const refused = met('done', { ...given, safeRecordings: 18, refused: 2, isSettled: true });
  expect(handOverOutcomeContent(refused)).toMatchObject({ ...giveHandOverTexts.ended.attention, look: 'warn' });
  expect([safe, almost, refused].map(canTryAgain)).toEqual([false, false, false]);
});

test('[APP-562] what was proven before the channel broke stays proven', () => {
  const broken = met('lost', { ...given, safeRecordings: 20, isSettled: true });
  expect(handOverOutcomeContent(broken)).toMatchObject(giveHandOverTexts.ended.safe);
});

test('[APP-563] [APP-564] [APP-565] a hand-over that did not come about says why, and what of it went through', () => {
  const { ended } = giveHandOverTexts;
  const half = { ...nothing, givenRecordings: 8, givenBytes: 4_000 };
  const cases: [HandOverOutcome, (typeof ended)[keyof typeof ended]][] = [
    [met('lost', half), ended.lost],
    [met('full', half), ended.full],
    [met('other_server', undefined), ended.other_server],
    [met('too_new', undefined), ended.too_new],
    [met('malformed', half), ended.odd],
    [met('done', nothing), ended.unopened],
    [{ kind: 'no_network' }, ended.no_network],
    [{ kind: 'not_reached' }, ended.not_reached],
    [{ kind: 'camera', failure: 'missing' }, ended.camera],
    [{ kind: 'failed', error: new Error('Full') }, ended.failed],
  ];
  for (const [outcome, words] of cases) {
    expect(handOverOutcomeContent(outcome)).toMatchObject(words);
    expect(handOverOutcomeContent(outcome).look).not.toBe('good');
    expect(canTryAgain(outcome)).toBe(true);
  }
  expect(handOverOutcomeContent(met('lost', half)).lines).toEqual([giveHandOverTexts.given(8, 20)]);
  const problem = { code: 'unauthorized', detail: 'Revoked.', status: 401, title: 'Revoked', type: 'about:blank' };
  const revoked = handOverOutcomeContent({ ...met('done'), problem } as HandOverOutcome);
  expect(revoked).toMatchObject(ended.refused);
  expect(revoked.lines).toContain('This device was removed from the account.');
  const unmet = new GembaError({ code: 'unreachable', detail: '' });
  expect(handOverOutcomeContent({ kind: 'failed', error: unmet }).lines).toEqual([giveHandOverTexts.needsNetwork]);
});

test('[APP-561] [APP-562] [APP-565] a phone that took work over says whether the answer of the server went back', () => {
  const { ended } = takeHandOverTexts;
  const taken = { bytes: 9_000, messages: 2, answered: 0 };
  const part = { bytes: 900, messages: 0, answered: 0 };
  expect(takeOverOutcomeContent({ kind: 'met', ended: 'done', progress: part })).toMatchObject(
    takeHandOverTexts.ended.lost,
  );
  const words = (code: HandOverResult['ended'], progress = taken) =>
    takeOverOutcomeContent({ kind: 'met', ended: code, progress });
  expect(words('done', { ...taken, answered: 2 })).toMatchObject({
    ...ended.safe,
    lines: [takeHandOverTexts.taken('9 kB')],
  });
  expect(words('done', { ...taken, answered: 1 })).toMatchObject(ended.taken);
  expect(words('lost')).toMatchObject({ ...ended.lost, lines: [takeHandOverTexts.taken('9 kB')] });
  expect(words('full')).toMatchObject(ended.full);
  expect(takeOverOutcomeContent({ kind: 'met', ended: 'other_server', progress: undefined })).toMatchObject(
    ended.other_server,
  );
  expect(takeOverOutcomeContent({ kind: 'met', ended: 'done', progress: undefined })).toMatchObject(ended.nothing);
  expect(takeOverOutcomeContent({ kind: 'no_network' })).toMatchObject({ ...ended.no_network, lines: [] });
});
