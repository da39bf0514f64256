/** Chooses the content encoding of a response by `Accept-Encoding` (RFC 9110, 12.5.3). */
import { parseWeightedValues } from './weighted-values.ts';

/** The smallest encoding comes first. If several encodings have the same weight, the first of them is chosen. */
export const contentEncodings = ['br', 'gzip', 'identity'] as const;

export type ContentEncoding = (typeof contentEncodings)[number];

/** Returns `identity` even if the client accepts no encoding at all, since the response must have some encoding. */
export function preferredEncoding(acceptEncoding: string | undefined): ContentEncoding {
  const accepted = parseWeightedValues(acceptEncoding ?? '');
  const weightOf = (encoding: string) => accepted.find(({ value }) => value === encoding)?.weight;
  const weighted = contentEncodings.map((encoding) => ({
    encoding,
    weight: weightOf(encoding) ?? weightOf('*') ?? unlistedWeights[encoding],
  }));
  const [preferred] = weighted.filter(({ weight }) => weight > 0).toSorted((a, b) => b.weight - a.weight);
  return preferred?.encoding ?? 'identity';
}

/**
 * A client that does not name `identity` accepts it after all named encodings. The weight of `identity` is therefore
 * below 0.001, the lowest weight that a header can give to a named encoding.
 */
const unlistedWeights: Record<ContentEncoding, number> = { br: 0, gzip: 0, identity: 0.0005 };
