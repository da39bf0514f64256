import { expect, test } from 'vitest';
import { ratioOf, spreadOf, takeTurns } from './measure.ts';

test('variants take turns, the first round does not count, and each round begins with another', async () => {
  const order: string[] = [];
  const variant = (name: string) => async () => order.push(name);
  const samples = await takeTurns({ a: variant('a'), b: variant('b') }, { rounds: 2 });
  expect(order.join('')).toBe('abbaab');
  expect(samples).toStrictEqual({ a: [4, 5], b: [3, 6] });
});

test('a ratio is taken of the samples of one round, and spread is median, minimum and maximum', () => {
  expect(spreadOf([5, 1, 3])).toStrictEqual({ median: 3, min: 1, max: 5 });
  expect(spreadOf([4, 1, 2, 9])).toStrictEqual({ median: 3, min: 1, max: 9 });
  expect(ratioOf([2, 40, 9], [1, 10, 3])).toStrictEqual({ median: 3, min: 2, max: 4 });
});
