/** Parses request headers that list values by preference, such as `Accept-Encoding` (RFC 9110, 12.4.2). */

export interface WeightedValue {
  /** The value in lower case. */
  value: string;
  /** The weight from 0 to 1. The weight 0 means that the client does not accept the value. */
  weight: number;
}

export function parseWeightedValues(header: string): WeightedValue[] {
  return header.split(',').map((part) => {
    const [value = '', parameter = ''] = part.split(';');
    return { value: value.trim().toLowerCase(), weight: weightOf(parameter) };
  });
}

function weightOf(parameter: string): number {
  const [, weight] = /^\s*q=(\d(?:\.\d{0,3})?)\s*$/i.exec(parameter) ?? [];
  return weight === undefined ? 1 : Number(weight);
}
