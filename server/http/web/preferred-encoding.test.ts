import { expect, test } from 'vitest';
import { preferredEncoding } from './preferred-encoding.ts';

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['br', 'br'],
  ['BR ; Q=0.3', 'br'],
  ['gzip, deflate', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0, gzip;q=0', 'identity'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['br;q=0.8, gzip;q=0.8', 'br'],
  ['gzip;q=0.5, identity', 'identity'],
  ['gzip;q=0.001', 'gzip'],
  ['*', 'br'],
  ['*;q=0.5, br;q=0.1', 'gzip'],
  ['*;q=0, gzip', 'gzip'],
  ['*;q=0', 'identity'],
  ['identity;q=0', 'identity'],
  ['brotli, x-br, deflate', 'identity'],
  [';;,q=', 'identity'],
])('[APP-401] a request that accepts %s gets %s', (header, encoding) => {
  expect(preferredEncoding(header)).toBe(encoding);
});
