import { expect, test } from 'vitest';
import { checkedTypes } from '../../tools/package/foreign-types.ts';

test.each([
  ["import { TSchema } from 'typebox';", 'typebox'],
  ['import type { Table } from "dexie";', 'dexie'],
  ["export * from 'rxdb';", 'rxdb'],
  ["export declare const map: import('typebox').TObject;", 'typebox'],
  ['export declare const map: import("typebox").TObject;', 'typebox'],
  ["import react = require('react');", 'react'],
  ["import 'rxjs/operators';", 'rxjs/operators'],
  ['/// <reference types="node" />', 'node'],
])('[LIB-26] the public types of the engine must not have %s', (line, name) => {
  const types = `import { Observable } from 'rxjs';\n${line}\nexport declare const maps$: Observable<string[]>;\n`;
  expect(() => checkedTypes('index', types)).toThrow(`The types of index need ${name}`);
});

test('[LIB-26] an entry may have the types of RxJS, of the engine and of its own peer', () => {
  const types = [
    "import { Observable } from 'rxjs';",
    "import type { Gemba } from 'gemba';",
    "import type { ReactNode } from 'react';",
    '/** Maps from `startRecording`, and "import" in a text of people. */',
    '',
  ].join('\n');
  expect(checkedTypes('react', types)).toBe(types);
  expect(() => checkedTypes('node', types)).toThrow('The types of node need react');
});
