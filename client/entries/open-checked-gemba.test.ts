import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { GembaOptions } from '../gemba.ts';
import { nodeStorage } from './node.ts';
import { openGemba } from './gemba.ts';

const folder = mkdtempSync(join(tmpdir(), 'gemba-options-'));
afterAll(() => rmSync(folder, { recursive: true }));
const valid = { name: 'station', url: 'http://127.0.0.1:9', storage: nodeStorage(join(folder, 'device.db')) };

test('[LIB-8] openGemba of the package names each option that is wrong, missing or unknown', async () => {
  const wrong: [Record<string, unknown>, string[]][] = [
    [{ name: '' }, ['/name']],
    [{ name: undefined, url: undefined }, ['/name', '/url']],
    [{ url: 'not a url' }, ['/url']],
    [{ url: 'ftp://127.0.0.1' }, ['/url']],
    [{ token: 'gk_1\n' }, ['/token']],
    [{ kind: 'toaster' }, ['/kind']],
    [{ storage: 'device.db' }, ['/storage']],
    [{ storage: {} }, ['/storage']],
    [{ scope: {} }, ['/scope']],
    [{ report: 1, fetch: 'x' }, ['/fetch', '/report']],
    [{ tokn: 'gk_1' }, ['/tokn']],
  ];
  for (const [options, paths] of wrong) {
    await expect(openGemba({ ...valid, ...options } as GembaOptions)).rejects.toMatchObject({
      code: 'validation_failed',
      errors: paths.map((path) => expect.objectContaining({ path })),
    });
  }
  await expect(openGemba(undefined as unknown as GembaOptions)).rejects.toMatchObject({ code: 'validation_failed' });

  const gemba = await openGemba(valid);
  await gemba.close();
});
