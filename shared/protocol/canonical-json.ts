import canonicalize from 'canonicalize';

/** The RFC 8785 (JCS) text of a JSON value: what both sides hash. */
export function canonicalJson(value: unknown): string {
  // The package's types describe an ES module, the package is CommonJS: its export is the function itself.
  return (canonicalize as unknown as (value: unknown) => string)(value);
}
