import { expect, test } from 'vitest';
import { tQuantile, type Confidence } from './t-quantile.ts';

/** SciPy 1.17: `t.ppf(0.5 + confidence / 2, df)`. */
const fromScipy: Record<Confidence, [degrees: number, quantile: number][]> = {
  0.9: [
    [1, 6.313751514675037],
    [10, 1.8124611228116756],
    [35, 1.6895724577802655],
    [100, 1.6602343260853392],
    [1_000, 1.6463788172854643],
    [10_000, 1.645006018069243],
  ],
  0.95: [
    [1, 12.706204736174694],
    [10, 2.228138851986274],
    [35, 2.030107928250343],
    [100, 1.9839715185235518],
    [1_000, 1.9623390808264083],
    [10_000, 1.960201239890626],
  ],
  0.99: [
    [1, 63.656741162871526],
    [10, 3.16927267261695],
    [35, 2.7238055892080912],
    [100, 2.6258905214380173],
    [1_000, 2.580754698065951],
    [10_000, 2.5763210466685282],
  ],
};

test('[STAT-5] t quantiles are those of SciPy, within 0.0002', () => {
  for (const confidence of [0.9, 0.95, 0.99] as const) {
    for (const [degrees, quantile] of fromScipy[confidence]) {
      expect(Math.abs(tQuantile(degrees, confidence) - quantile)).toBeLessThanOrEqual(0.0002);
    }
  }
});

test('[STAT-5] t quantiles fall as the degrees of freedom grow, from 1 to 10,000', () => {
  for (const confidence of [0.9, 0.95, 0.99] as const) {
    const quantiles = Array.from({ length: 10_000 }, (_, index) => tQuantile(index + 1, confidence));
    expect(quantiles.findIndex((quantile, index) => index > 0 && quantile >= quantiles[index - 1]!)).toBe(-1);
  }
});

test('[STAT-5] t quantiles of degrees that are listed are those of the list, to the last one', () => {
  expect([1, 2, 30, 40, 120, Infinity].map((degrees) => tQuantile(degrees, 0.95))).toEqual([
    12.706205, 4.302653, 2.042272, 2.021075, 1.97993, 1.959964,
  ]);
});

test('a t quantile needs a degree of freedom', () => {
  expect(() => tQuantile(0, 0.95)).toThrow('a t quantile needs a degree of freedom');
});
