import { assert } from '../assert.ts';

export type Confidence = 0.9 | 0.95 | 0.99;
export const confidenceDefault: Confidence = 0.95;

const tabulatedDegreesOfFreedom = [
  ...Array.from({ length: 30 }, (_, index) => index + 1),
  40,
  60,
  120,
  Number.POSITIVE_INFINITY,
];

interface ListedQuantile {
  degrees: number;
  quantile: number;
}

const toListedQuantiles = (quantiles: readonly number[]): ListedQuantile[] =>
  tabulatedDegreesOfFreedom.map((degrees, index) => ({ degrees, quantile: quantiles[index]! }));

/**
 * Two-sided quantiles of Student's t distribution for the degrees of freedom 1 to 30, 40, 60, 120 and infinity,
 * computed with SciPy 1.17 (`t.ppf(0.5 + confidence / 2, df)`).
 */
const tQuantileTable: Record<Confidence, readonly ListedQuantile[]> = {
  0.9: toListedQuantiles([
    6.313752, 2.919986, 2.353363, 2.131847, 2.015048, 1.94318, 1.894579, 1.859548, 1.833113, 1.812461, 1.795885,
    1.782288, 1.770933, 1.76131, 1.75305, 1.745884, 1.739607, 1.734064, 1.729133, 1.724718, 1.720743, 1.717144,
    1.713872, 1.710882, 1.708141, 1.705618, 1.703288, 1.701131, 1.699127, 1.697261, 1.683851, 1.670649, 1.657651,
    1.644854,
  ]),
  0.95: toListedQuantiles([
    12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624, 2.306004, 2.262157, 2.228139, 2.200985,
    2.178813, 2.160369, 2.144787, 2.13145, 2.119905, 2.109816, 2.100922, 2.093024, 2.085963, 2.079614, 2.073873,
    2.068658, 2.063899, 2.059539, 2.055529, 2.051831, 2.048407, 2.04523, 2.042272, 2.021075, 2.000298, 1.97993,
    1.959964,
  ]),
  0.99: toListedQuantiles([
    63.656741, 9.924843, 5.840909, 4.604095, 4.032143, 3.707428, 3.499483, 3.355387, 3.249836, 3.169273, 3.105807,
    3.05454, 3.012276, 2.976843, 2.946713, 2.920782, 2.898231, 2.87844, 2.860935, 2.84534, 2.83136, 2.818756, 2.807336,
    2.79694, 2.787436, 2.778715, 2.770683, 2.763262, 2.756386, 2.749996, 2.704459, 2.660283, 2.617421, 2.575829,
  ]),
};

/**
 * Returns the two-sided t quantile, interpolated linearly in 1/df between the listed degrees of freedom (df). The error
 * is at most 0.0002.
 */
export function tQuantile(degreesOfFreedom: number, confidence: Confidence): number {
  assert(degreesOfFreedom >= 1, 'a t quantile needs a degree of freedom');
  const listed = tQuantileTable[confidence];
  const next = listed.findIndex(({ degrees }) => degrees >= degreesOfFreedom);
  const [below, above] = [listed[next - 1], listed[next]];
  assert(above, 'the list ends with infinity');
  if (!below) return above.quantile;
  // `share` is 0 if the table lists `degreesOfFreedom`.
  const share = (1 / degreesOfFreedom - 1 / above.degrees) / (1 / below.degrees - 1 / above.degrees);
  return above.quantile + share * (below.quantile - above.quantile);
}
