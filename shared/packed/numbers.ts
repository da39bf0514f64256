/**
 * Packs a list of numbers. If the numbers times some divisors are integers, such as seconds times 1000, packs the
 * integers and the divisors. If the differences of successive integers are smaller, packs the differences instead.
 */
import type { Column } from './column.ts';
import { packDigits } from './digits.ts';

/** The divisors to try, in this order. Durations are milliseconds / 1000, and stage times are durations / 3600. */
const divisorLists: readonly (readonly number[])[] = [[], [10], [100], [1000], [3600], [1000, 3600]];

export function packNumbers(numbers: readonly number[]): Column {
  for (const divisors of divisorLists) {
    const integers = integersOf(numbers, divisors);
    if (!integers) continue;
    const column = packIntegers(integers);
    return divisors.length === 0 || 'values' in column ? column : { divisors: [...divisors], integers: column };
  }
  return { values: [...numbers] };
}

/** Returns the integers that give the numbers when divided by all divisors; undefined if there are none. */
function integersOf(numbers: readonly number[], divisors: readonly number[]): number[] | undefined {
  const product = divisors.reduce((all, divisor) => all * divisor, 1);
  const integers: number[] = [];
  for (let index = 0; index < numbers.length; index++) {
    const number = numbers[index]!;
    const integer = Math.round(number * product);
    if (!Number.isSafeInteger(integer) || dividedBy(integer, divisors) !== number) return undefined;
    integers.push(integer);
  }
  return integers;
}

export function dividedBy(integer: number, divisors: readonly number[]): number {
  let quotient = integer;
  for (let index = 0; index < divisors.length; index++) quotient /= divisors[index]!;
  return quotient;
}

/** Differences need a column of their own, so they must save at least this many bits a number. */
const bitsSavedMin = 2;

export function packIntegers(integers: readonly number[]): Column {
  const range = rangeOf(integers);
  if (range.min === range.max) return { same: range.min };
  if (!Number.isSafeInteger(range.max - range.min)) return { values: [...integers] };
  const stepRange = stepRangeOf(integers);
  if (bitsPerInteger(stepRange) + bitsSavedMin > bitsPerInteger(range)) return packDigits(integers, range);
  const column: Column =
    stepRange.min === stepRange.max ? { same: stepRange.min } : packDigits(stepsOf(integers), stepRange);
  return { first: integers[0]!, steps: column };
}

/** Returns the differences of at least two integers. */
function stepsOf(integers: readonly number[]): number[] {
  const steps: number[] = [];
  for (let index = 1; index < integers.length; index++) steps.push(integers[index]! - integers[index - 1]!);
  return steps;
}

/**
 * Returns the range of the differences. Does not build their list, since most columns are smaller without differences.
 */
function stepRangeOf(integers: readonly number[]): Range {
  let min = integers[1]! - integers[0]!;
  let max = min;
  for (let index = 2; index < integers.length; index++) {
    const step = integers[index]! - integers[index - 1]!;
    if (step < min) min = step;
    else if (step > max) max = step;
  }
  return { min, max };
}

interface Range {
  min: number;
  max: number;
}

function rangeOf(integers: readonly number[]): Range {
  let min = integers[0]!;
  let max = min;
  for (let index = 1; index < integers.length; index++) {
    const integer = integers[index]!;
    if (integer < min) min = integer;
    else if (integer > max) max = integer;
  }
  return { min, max };
}

const bitsPerInteger = ({ min, max }: Range): number => Math.log2(max - min + 1);
