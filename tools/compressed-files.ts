/**
 * Compresses each file of the build with brotli into `name.br` beside it. The server would otherwise compress the file
 * at its first request, while a person waits.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { Plugin } from 'vite';

const compressible = /\.(?:html|js|css|svg|webmanifest)$/;

export function compressedFiles(): Plugin {
  return {
    name: 'gemba-compressed-files',
    apply: 'build',
    writeBundle: {
      order: 'post',
      async handler({ dir }) {
        if (dir === undefined) return;
        const names = await readdir(dir, { recursive: true });
        await Promise.all(names.filter((name) => compressible.test(name)).map((name) => compress(join(dir, name))));
      },
    },
  };
}

async function compress(path: string): Promise<void> {
  const bytes = await readFile(path);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  const compressed = await promisify(brotliCompress)(bytes, { params });
  if (compressed.length < bytes.length) await writeFile(`${path}.br`, compressed);
}
