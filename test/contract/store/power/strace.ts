/** Whether strace is on this machine; CI installs it. */
import { execFileSync } from 'node:child_process';

/** Prints a note where strace is missing, and throws if it must not be. */
export function isStraceInstalled(): boolean {
  try {
    execFileSync('strace', ['-V'], { stdio: 'ignore' });
    return true;
  } catch {
    if (process.env['GEMBA_REQUIRE_STRACE'] === '1') throw new Error('strace is missing: apt-get install strace');
    process.stderr.write('Skipped: no strace, so nobody can watch when SQLite syncs\n');
    return false;
  }
}
