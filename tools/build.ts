/** `npm run build [FOLDER]`: builds the app into `dist`, and the server into the folder if there is one. */
import { join } from 'node:path';
import { build } from 'vite';
import { bundlePrograms } from './bundle-programs.ts';

const [serverFolder] = process.argv.slice(2);
const root = join(import.meta.dirname, '..');
await build({ configFile: join(root, 'vite.config.ts'), logLevel: 'warn' });
if (serverFolder !== undefined) await bundlePrograms(['server/main'], { outDir: serverFolder, sourcemap: true });
