import { readFileSync } from 'node:fs';
import { gemba } from 'gemba/vite';

/** Writes `sw.js`, which knows the files of this build. */
const offlineWorker = {
  name: 'offline-worker',
  generateBundle(_options, bundle) {
    const files = ['/', ...Object.keys(bundle).filter((name) => name !== 'index.html')];
    const source = `const files = ${JSON.stringify(files)};\n${readFileSync('offline-worker.js', 'utf8')}`;
    this.emitFile({ type: 'asset', fileName: 'sw.js', source });
  },
};

export default {
  plugins: [gemba(), offlineWorker],
  server: { proxy: { '/api': 'http://127.0.0.1:8080' } },
};
