/**
 * The Chromium of @sparticuz/chromium, unpacked once into node_modules/.cache together with its libraries and fonts.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export interface Chromium {
  executablePath: string;
  /** Environment variables that Chromium needs in addition. */
  env: Record<string, string>;
}

const nodeModules = fileURLToPath(new URL('../../node_modules/', import.meta.url));

export const isBundledHere = process.platform === 'linux' && process.arch === 'x64';

export async function unpackBundledChromium(): Promise<Chromium> {
  const dir = await unpackOnce();
  return {
    executablePath: join(dir, 'chromium'),
    env: {
      LD_LIBRARY_PATH: [join(dir, 'al2023/lib'), process.env['LD_LIBRARY_PATH']].filter(Boolean).join(':'),
      // Without any font Chromium exits at its first text.
      ...(existsSync('/etc/fonts/fonts.conf') ? {} : { FONTCONFIG_FILE: join(dir, fontconfigFile) }),
    },
  };
}

/** Unpacks into a temporary folder and renames it, so that parallel test files never see half of it. */
async function unpackOnce(): Promise<string> {
  const manifest = await readFile(join(nodeModules, '@sparticuz/chromium/package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  const cache = join(nodeModules, '.cache');
  const dir = join(cache, `gemba-chromium-${version}`);
  if (existsSync(dir)) return dir;
  await mkdir(cache, { recursive: true });
  const temporary = await mkdtemp(`${dir}.`);
  try {
    await unpackInto(temporary);
    await writeFile(join(temporary, fontconfigFile), fontconfig);
    await rename(temporary, dir);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    // Another test file may have renamed its folder first.
    if (!existsSync(dir)) throw error;
  }
  return dir;
}

/** The package unpacks into TMPDIR, and adds its libraries only where it detects AWS Lambda. */
async function unpackInto(dir: string): Promise<void> {
  const script = `import('@sparticuz/chromium').then((it) => it.default.executablePath())`;
  const env = { ...process.env, TMPDIR: dir, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' };
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], { cwd: nodeModules, env });
}

const fontconfigFile = 'gemba-fonts.conf';
const fontconfig = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;
