/** Programs that read exports: pandas and xmllint. Tests skip what is not there, or fail if GEMBA_REQUIRE_READERS=1. */
import { execFileSync } from 'node:child_process';

/** Debian's Python, since another one on the path would lack Debian's packages. */
const python = '/usr/bin/python3';

export const pandasAtHand = (): boolean =>
  isAtHand(python, ['-c', 'import pandas, openpyxl'], 'python3-pandas python3-openpyxl');
export const xmllintAtHand = (): boolean => isAtHand('xmllint', ['--version'], 'libxml2-utils');

/** Runs a Python program that prints JSON. */
export function runPython(program: string, ...args: string[]): unknown {
  return JSON.parse(execFileSync(python, ['-c', program, ...args], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }));
}

/** Throws what xmllint says about a file that does not fit the schema. */
export function validateXml(file: string, schema: string): void {
  execFileSync('xmllint', ['--huge', '--noout', '--schema', schema, file], { stdio: 'pipe' });
}

/** Evaluates an XPath expression that results in a text. */
export const xpath = (file: string, expression: string): string =>
  execFileSync('xmllint', ['--huge', '--xpath', expression, file], { encoding: 'utf8' }).replace(/\n$/, '');

function isAtHand(program: string, args: string[], packages: string): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    if (process.env['GEMBA_REQUIRE_READERS'] === '1') throw new Error(`missing: apt-get install ${packages}`);
    return false;
  }
}
