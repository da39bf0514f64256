import { expect, test } from 'vitest';
import { Places, type Place } from './places.ts';

/** Takes a place for an address, and writes its name down when it has to give it up. */
function takingPlaces(countMax: number) {
  const places = new Places(countMax);
  const gone: string[] = [];
  const take = (address: string, name: string): Place | undefined => places.take(address, () => gone.push(name));
  return { take, gone };
}

test('[RELAY-93] a new device gets the place of the one that said nothing for the longest', () => {
  const { take, gone } = takingPlaces(3);
  take('10.0.0.1', 'first')?.onHeard();
  take('10.0.0.1', 'second');
  take('10.0.0.1', 'third');
  expect(take('10.0.0.2', 'fourth')).toBeDefined();
  expect(gone).toEqual(['second']);
});

test('[RELAY-93] a new device gets a place of the address that has the most, the one that was silent the longest', () => {
  const { take, gone } = takingPlaces(4);
  const crowd = ['first', 'second', 'third'].map((name) => take('10.0.0.1', name));
  for (const place of [crowd[1], crowd[0], crowd[2]]) place?.onHeard();
  take('10.0.0.2', 'other')?.onHeard();
  take('10.0.0.3', 'new')?.onHeard();
  expect(gone).toEqual(['second']);
  // Two, one and one: nobody has more than a fifth would have.
  expect(take('10.0.0.3', 'one more')).toBeUndefined();
  expect(take('10.0.0.1', 'one more')).toBeUndefined();
  expect(gone).toEqual(['second']);
  crowd[0]?.leave();
  expect(take('10.0.0.1', 'back')).toBeDefined();
});

test('[RELAY-93] a flood from one address takes the place of no device of another one, not even before its first word', () => {
  const { take, gone } = takingPlaces(4);
  for (const name of ['a', 'b', 'c']) take('10.0.0.1', name)?.onHeard();
  take('10.0.0.2', 'honest');
  for (let count = 0; count < 9; count++) take('10.0.0.1', 'flood');
  expect(gone).toEqual([]);
  take('10.0.0.3', 'other');
  expect(gone).toEqual(['a']);
});

test('[RELAY-93] devices of one address, or of one IPv6 network, share what they brought', () => {
  const { take } = takingPlaces(8);
  const brought = take('2001:db8::1', 'first')?.broughtIds;
  expect(take('2001:db8::2', 'second')?.broughtIds).toBe(brought);
  expect(take('2001:db8:0:1::1', 'third')?.broughtIds).not.toBe(brought);
});
