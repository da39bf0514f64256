import { expect, test } from 'vitest';
import { follow } from './read-codes-view.tsx';

test('[CODES-16] [CODES-17] a hand-over without room, or that the server never opens, keeps the camera open', () => {
  const unfinished = new Set<string>();
  follow(unfinished, { kind: 'part', name: 'A', have: 1, total: 2 });
  follow(unfinished, { kind: 'full', name: 'A' });
  follow(unfinished, { kind: 'refused', name: 'B' });
  follow(unfinished, { kind: 'not_stored', name: 'E' });
  follow(unfinished, { kind: 'whole', name: 'C' });
  follow(unfinished, { kind: 'other_server', name: 'D' });
  expect([...unfinished]).toEqual(['A', 'B', 'E']);
  follow(unfinished, { kind: 'whole', name: 'A' });
  expect([...unfinished]).toEqual(['B', 'E']);
});
