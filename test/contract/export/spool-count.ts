import { readdirSync, readlinkSync } from 'node:fs';

/** How many files of exports a process has open. Linux lists them, also those without a name. */
export const spoolCount = (pid: number | 'self' = 'self'): number =>
  readdirSync(`/proc/${pid}/fd`).filter((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`).includes('gemba-export-');
    } catch {
      return false;
    }
  }).length;
