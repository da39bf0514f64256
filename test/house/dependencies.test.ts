import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

interface Manifest {
  /** The packages of a lock file, each under its path. */
  packages?: Record<string, Manifest>;
  dependencies?: Record<string, string>;
  engines?: { node?: string } | string[];
  overrides?: Record<string, Record<string, string>>;
}

function readManifest(path: string): Manifest {
  const manifest: Manifest = JSON.parse(readFileSync(join(root, path), 'utf8'));
  return manifest;
}

/** A version as its three numbers. */
type Version = [number, number, number];
const oldestNode: Version = [20, 19, 0];

test('[HOUSE-29] npm ci warns of no package on Node 20.19', () => {
  const { packages = {} } = readManifest('package-lock.json');
  const refusing = Object.entries(packages).filter(
    ([, { engines }]) => engines && !Array.isArray(engines) && !isInRange(oldestNode, engines.node ?? '*'),
  );
  expect(Object.keys(packages).length).toBeGreaterThan(100);
  expect(refusing.map(([path]) => path)).toEqual([]);
});

test.each([
  ['>=22.0.0', false],
  ['^22.0.0 || ^24.0.0 || >=26.0.0', false],
  ['>=20.20', false],
  ['<20', false],
  ['^18.18.0 || ^20.9.0 || >=21.1.0', true],
  ['>= 0.8 < 21', true],
  ['^12.22.0 || >=17.0.0', true],
  ['>=18', true],
  ['20.x', true],
  ['18 || 20', true],
  ['*', true],
])('[HOUSE-29] Node 20.19 in the range %s: %s', (range, isIn) => expect(isInRange(oldestNode, range)).toBe(isIn));

test('[HOUSE-30] each override of package.json is still needed', () => {
  const { overrides = {} } = readManifest('package.json');
  for (const [name, versions] of Object.entries(overrides)) {
    const { dependencies } = readManifest(`node_modules/${name}/package.json`);
    for (const [dependency, version] of Object.entries(versions)) {
      expect([name, dependency, dependencies?.[dependency]]).not.toEqual([name, dependency, undefined]);
      expect([name, dependency, dependencies?.[dependency]]).not.toEqual([name, dependency, version]);
    }
  }
});

/** Reads the ranges that occur in the lock file, which are simpler than npm allows. */
function isInRange(version: Version, range: string): boolean {
  return range.split('||').some((alternative) => {
    const comparators = [...alternative.matchAll(/(>=|<=|>|<|\^|~|=)?\s*v?(\d+)(?:\.(\d+))?(?:\.(\d+))?/g)];
    return comparators.every(([, operator = '', major, minor, patch]) => {
      const bound: Version = [Number(major), Number(minor ?? 0), Number(patch ?? 0)];
      const order = compare(version, bound);
      if (operator === '>=') return order >= 0;
      if (operator === '>') return order > 0;
      if (operator === '<') return order < 0;
      if (operator === '<=') return order <= 0;
      const isSameMinor = operator === '^' || minor === undefined || version[1] === bound[1];
      return version[0] === bound[0] && isSameMinor && order >= 0;
    });
  });
}

function compare(a: Version, b: Version): number {
  const [major, minor, patch] = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
  return major || minor || patch;
}
