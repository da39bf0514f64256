/**
 * Keys of states that differ only in which device is called what are equal: their futures are the same but for the names.
 * A device is called by its rank among the shapes of the devices without names. Digests of what a name is part of, and ids
 * that follow from them, are called by the order of their first appearance.
 */
import type { Shape } from './parts.ts';

export interface NamedShape {
  /** A capital letter. */
  name: string;
  shape: Shape;
}

/** Returns the key of a state without the choice of names. The shapes of devices must not hold their own name. */
export function keyWithoutNames(devices: readonly NamedShape[], rest: readonly Shape[]): string {
  const ranked = devices
    .map((device) => ({ ...device, nameless: namelessOf(device) }))
    .toSorted((a, b) => (a.nameless < b.nameless ? -1 : Number(a.nameless > b.nameless)));
  const numbers = new Map(ranked.map(({ name }, rank) => [codeOf(name), rank]));
  const numberOf = (name: string): number => {
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    return number;
  };
  const keyOf = ({ literal, names }: Shape): string => `${literal}:${names.map(numberOf).join()}`;
  return [...ranked.map(({ shape }) => keyOf(shape)), ...rest.map(keyOf)].join(' ');
}

/** Tells devices apart by what each is to itself: its own ids, those of others, and digests. */
function namelessOf({ name, shape }: NamedShape): string {
  const own = codeOf(name);
  const kinds = shape.names.map((one) => (one === own ? 'm' : one.length === own.length ? 'o' : 'd'));
  return `${shape.literal}:${kinds.join('')}`;
}

const codeOf = (name: string): string => String(name.charCodeAt(0));
