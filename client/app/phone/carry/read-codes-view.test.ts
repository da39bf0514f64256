import { expect, test } from 'vitest';
import { trackUnstored } from './read-codes-view.tsx';

test('[CODES-16] [CODES-17] a hand-over without room, or that the server never opens, keeps the camera open', () => {
  const unfinished = new Set<string>();
  trackUnstored(unfinished, { kind: 'part', name: 'A', have: 1, total: 2 });
  trackUnstored(unfinished, { kind: 'full', name: 'A' });
  trackUnstored(unfinished, { kind: 'refused', name: 'B' });
  trackUnstored(unfinished, { kind: 'not_stored', name: 'E' });
  trackUnstored(unfinished, { kind: 'whole', name: 'C' });
  trackUnstored(unfinished, { kind: 'other_server', name: 'D' });
  expect([...unfinished]).toEqual(['A', 'B', 'E']);
  trackUnstored(unfinished, { kind: 'whole', name: 'A' });
  expect([...unfinished]).toEqual(['B', 'E']);
});
