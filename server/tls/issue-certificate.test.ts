import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { systemWorld } from '../core/world.ts';
import { issueAuthority, issueServerCertificate, makeKey } from './issue-certificate.ts';

const dayMs = 24 * 60 * 60 * 1000;

test.each([
  ['2026-11-22T12:00:00.789Z', '2027-12-24T12:00:00.000Z', '2036-11-19T12:00:00.000Z'],
  ['2045-06-01T00:00:00.000Z', '2046-07-03T00:00:00.000Z', '2055-05-30T00:00:00.000Z'],
  ['2049-12-31T23:59:59.999Z', '2051-02-01T23:59:59.000Z', '2059-12-29T23:59:59.000Z'],
  ['2050-01-01T12:00:00.000Z', '2051-02-02T12:00:00.000Z', '2059-12-30T12:00:00.000Z'],
])('[SERVER-30] certificates made at %s are valid until %s and %s', async (now, serverUntil, authorityUntil) => {
  const world = { ...systemWorld, now: () => Date.parse(now) };
  const authority = await issueAuthority(world, { name: 'Gemba of hall 3' });
  const server = await issueServerCertificate(world, { authority, key: makeKey(), names: ['localhost'] });
  const [ca, own] = [new X509Certificate(authority.cert), new X509Certificate(server.cert)];
  const from = Math.floor((Date.parse(now) - dayMs) / 1000) * 1000;
  expect([ca.validFrom, own.validFrom].map(Date.parse)).toEqual([from, from]);
  expect([own.validTo, ca.validTo].map((to) => new Date(to).toISOString())).toEqual([serverUntil, authorityUntil]);
  expect(own.verify(ca.publicKey)).toBe(true);
});
