/** A real server process that a test can stop, and start again at its address. */
import { startServerProcess } from '../contract/server-process.ts';
import { findFreePort } from '../free-port.ts';
import { makeFolderOfRun } from '../made-once.ts';

export interface ExampleServer {
  url: string;
  apiKey: string;
  /** A pairing code for the first phone. */
  code: string;
  stop(): Promise<void>;
  startAgain(): Promise<void>;
  /** Calls the API with the key of the account, and resolves to the text of the answer. */
  request(path: string, body?: object): Promise<string>;
}

export async function startExampleServer(settings: Record<string, string> = {}): Promise<ExampleServer> {
  const port = await findFreePort();
  const environment = { PORT: String(port), DATA_DIR: await makeFolderOfRun('gemba-example-'), ...settings };
  let server = startServerProcess(environment);
  const [, apiKey = ''] = await server.until(/(gk_[\w-]+)/);
  const [, code = ''] = await server.until(/\/pair#(\w{4}-\w{4})/);
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    apiKey,
    code,
    stop: async () => {
      server.child.kill('SIGTERM');
      await server.ended;
    },
    startAgain: async () => {
      server = startServerProcess(environment);
      await server.until(/listening/);
    },
    request: async (path, body) => {
      const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
      const post = body ? { method: 'POST', body: JSON.stringify(body) } : {};
      const response = await fetch(`${url}/api/v1${path}`, { headers, ...post });
      if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
      return response.text();
    },
  };
}
