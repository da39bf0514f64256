import { expect, test } from 'vitest';
import { warningsOfPackage } from './npm-warnings.ts';

test('[LIB-21] of what npm prints, the lines that name the package and the warnings of Node count', () => {
  const others = [
    'npm notice New major version of npm available! 10.8.2 -> 11.6.2',
    'npm notice To update run: npm install -g npm@11.6.2',
    'npm warn deprecated prebuild-install@7.1.3: No longer maintained.',
    'npm warn cleanup Failed to remove /tmp/gemba-node-x1/node_modules/tar',
    '',
  ];
  const counted = [
    "npm warn EBADENGINE   package: 'gemba@0.1.0',",
    'npm warn deprecated gemba@0.1.0: Take another one.',
    '(node:4711) ExperimentalWarning: SQLite is an experimental feature and might change at any time',
    '    at emitWarning (DeprecationWarning)',
  ];
  expect(warningsOfPackage([...others, ...counted].join('\n'))).toEqual(counted);
});
