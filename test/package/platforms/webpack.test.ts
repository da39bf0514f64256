import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { transformWithOxc } from 'vite';
import { expect, test } from 'vitest';
import { copyProject, installPackage, run } from '../installed-package.ts';
import { filesOf, recordWithApp } from '../readme-app.ts';

test("[LIB-22] webpack builds the README's app without a warning, and the app records offline in a browser and syncs", async () => {
  const { project } = await installPackage();
  const folder = await copyProject(project, ['react', 'react-dom', 'scheduler']);
  const files = new Map(filesOf(await readFile(join(project, 'node_modules/gemba/README.md'), 'utf8')));
  // An app has a loader for JSX, of which the package knows nothing.
  const { code } = await transformWithOxc(files.get('main.jsx')!, 'main.jsx', { sourcemap: false });
  await writeFile(join(folder, 'main.js'), code);

  const build = join(import.meta.dirname, 'build-with-webpack.js');
  const { stdout } = await run(process.execPath, [build, folder], { cwd: folder });
  await writeFile(join(folder, 'dist/index.html'), files.get('index.html')!.replace('/main.jsx', '/main.js'));

  expect(JSON.parse(stdout)).toEqual({ warnings: [], errors: [] });
  const built = await readdir(join(folder, 'dist'));
  const sources = await Promise.all(
    built.filter((name) => name.endsWith('.js')).map((name) => readFile(join(folder, 'dist', name), 'utf8')),
  );
  // A worker is a chunk of its own, which its page starts.
  expect(sources.join('').match(/new Worker\(/g)).toHaveLength(2);
  expect(sources.join('')).not.toContain('opfs-worker.js');
  await recordWithApp(folder);
});
