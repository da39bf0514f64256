/** `npm run build [FOLDER]`: builds the app into `dist` and the guide into `site`. With a folder, builds app and server. */
import { join } from 'node:path';
import { build } from 'vite';
import { bundlePrograms } from './bundle-programs.ts';

const [serverFolder] = process.argv.slice(2);
const root = join(import.meta.dirname, '..');
await build({ configFile: join(root, 'vite.config.ts'), logLevel: 'warn' });
if (serverFolder !== undefined) {
  await bundlePrograms(['server/main'], { outDir: serverFolder, sourcemap: true });
} else {
  // `npm start` builds with a folder, and does without the generator of the guide, which is not installed for production.
  const { buildSite } = await import('./site/build-site.ts');
  await buildSite(join(root, 'site'));
}
