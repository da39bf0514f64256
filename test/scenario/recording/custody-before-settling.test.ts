import { EMPTY, firstValueFrom, of } from 'rxjs';
import { expect, test } from 'vitest';
import { custody$ } from '../../../client/recording/custody.ts';

const upload = {
  state: 'pending',
  seq: 3,
  args: { recording_session_id: 's' },
  proven_at: null,
  payload: { kind: 'mutation' },
};

/** Reads what is told after a pull whose progress the outbox has not settled yet. */
function custodyAfterPull(refusedSeqs: number[]): Promise<string> {
  const rejections = refusedSeqs.map((seq) => ({ seq }));
  const parts = {
    view: {
      changed$: of(0),
      refused: [],
      unsettled: [],
      base: { runIdOfSession: new Map() },
      client: { rejections },
      settledSeq: 3,
    },
    outbox: { device: { epoch: null }, uploads: () => [upload], entries: () => [] },
    recordings: { recording$: EMPTY, hasOpenDraft: () => false },
  };
  return firstValueFrom(custody$(parts as never, 's'));
}

test('[CUSTODY-6] a recording that the last pull refused is with the device before the outbox has settled that', async () => {
  expect(await custodyAfterPull([])).toBe('server');
  expect(await custodyAfterPull([2])).toBe('server');
  expect(await custodyAfterPull([3])).toBe('device');
});

test('[CUSTODY-7] a receipt proves nothing once the records are of a restored server, until the outbox has settled that', async () => {
  const receipt = { ...upload, state: 'receipt', proven_at: '2026-03-01T09:00:00.000Z' };
  const custodyIn = (epoch: string | null, runs: [string, number][] = []) => {
    const base = { runIdOfSession: new Map(runs), cursor: { epoch: '2' } };
    const parts = {
      view: { changed$: of(0), refused: [], unsettled: [], base, client: undefined, settledSeq: 0 },
      outbox: { device: { epoch }, uploads: () => [receipt], entries: () => [receipt] },
      recordings: { recording$: EMPTY, hasOpenDraft: () => false },
    };
    return firstValueFrom(custody$(parts as never, 's'));
  };
  expect(await custodyIn('2')).toBe('server');
  expect(await custodyIn(null)).toBe('server');
  expect(await custodyIn('1')).toBe('device');
  expect(await custodyIn('1', [['s', 1]])).toBe('server');
});
