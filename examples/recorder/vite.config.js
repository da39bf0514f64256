import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gemba } from 'gemba/vite';

/** Writes `sw.js`, which knows the files of this build, and differs if only the page does. */
const offlineWorker = {
  name: 'offline-worker',
  enforce: 'post',
  generateBundle(_options, bundle) {
    const page = bundle['index.html'].source;
    const files = ['/', ...Object.keys(bundle).filter((name) => name !== 'index.html')];
    const build = createHash('sha256')
      .update(JSON.stringify([files, String(page)]))
      .digest('hex');
    const known = `const build = '${build}';\nconst files = ${JSON.stringify(files)};\n`;
    this.emitFile({ type: 'asset', fileName: 'sw.js', source: known + readFileSync('offline-worker.js', 'utf8') });
  },
};

export default {
  plugins: [gemba(), offlineWorker],
  server: { proxy: { '/api': 'http://127.0.0.1:8080' } },
};
