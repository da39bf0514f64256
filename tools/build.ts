/**
 * `npm run build [FOLDER]`: builds the app into `dist`. Then builds the guide into `site`, or with a folder, the server
 * into that folder.
 */
import { join } from 'node:path';
import { build } from 'vite';
import { bundlePrograms } from './bundle-programs.ts';

const [serverFolder] = process.argv.slice(2);
const root = join(import.meta.dirname, '..');
await build({ configFile: join(root, 'vite.config.ts'), logLevel: 'warn' });
if (serverFolder !== undefined) {
  await bundlePrograms(['server/main'], { outDir: serverFolder, sourcemap: true });
} else {
  // Import the generator of the guide only here: `npm start` passes a folder and runs in production without it.
  const { buildSite } = await import('./site/build-site.ts');
  await buildSite(join(root, 'site'));
}
