/** `npm run dev`: Vite builds the app at each change, and the server starts again at each change of its own or of the build. */
import { spawn } from 'node:child_process';
import { build } from 'vite';

await build({ logLevel: 'warn', build: { watch: {} } });

const args = ['tsx', 'watch', '--include', 'dist/sw.js', 'server/main.ts'];
const server = spawn('npx', ['--no-install', ...args], { stdio: 'inherit' });
server.on('close', (code) => process.exit(code ?? 0));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void server.kill(signal));
