/**
 * `npm run dev`: Vite serves the app and reloads it at each change. It forwards API requests to a server that restarts
 * when its code changes.
 */
import { spawn } from 'node:child_process';
import { createServer } from 'vite';

const apiPort = process.env['PORT'] ?? '8080';
const viteServer = await createServer({
  clearScreen: false,
  server: { port: 5173, proxy: { '/api': `http://127.0.0.1:${apiPort}` } },
});
await viteServer.listen();
const [url] = viteServer.resolvedUrls!.local;

// Lets the server print a pairing link to Vite's address.
const serverEnv = { ...process.env, PORT: apiPort, PUBLIC_URL: url!.replace(/\/$/, '') };
const apiServer = spawn('npx', ['--no-install', 'tsx', 'watch', 'server/main.ts'], {
  stdio: 'inherit',
  env: serverEnv,
});
apiServer.on('close', async (code) => {
  await viteServer.close();
  process.exit(code ?? 0);
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void apiServer.kill(signal));
