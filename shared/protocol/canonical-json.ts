import canonicalize from 'canonicalize';

/** Returns the RFC 8785 (JCS) text of a JSON value. Devices and server hash this text. */
export function canonicalJson(value: unknown): string {
  // The export of this CommonJS package is the function itself. The types of the package wrongly describe an ES module.
  return (canonicalize as unknown as (value: unknown) => string)(value);
}
