/** Sends the same GET over and over on several connections. It parses no more than it must, so that the server is the limit. */
import { connect } from 'node:net';

export interface HttpLoad {
  url: string;
  headers?: Record<string, string>;
  connections: number;
  requests: number;
}

/** Returns the requests a second. Each connection sends its next request after the response to its last one. */
export async function measureRequestsPerSec(load: HttpLoad): Promise<number> {
  const { hostname, port, pathname, host } = new URL(load.url);
  const headers = Object.entries(load.headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = `GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\n${headers.join('')}\r\n`;
  let left = load.requests;
  const takeRequest = () => (left-- > 0 ? request : undefined);
  const startedAt = performance.now();
  const connections = Array.from({ length: load.connections }, () =>
    repeatOnConnection({ host: hostname, port: Number(port) }, takeRequest),
  );
  await Promise.all(connections);
  return (load.requests * 1000) / (performance.now() - startedAt);
}

function repeatOnConnection(
  address: { host: string; port: number },
  takeRequest: () => string | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ ...address, noDelay: true });
    const sendNext = () => {
      const request = takeRequest();
      if (request !== undefined) return void socket.write(request);
      socket.destroy();
      resolve();
    };
    let received = '';
    socket.setEncoding('latin1');
    socket.on('connect', sendNext);
    socket.on('data', (text: string) => {
      received += text;
      const headEnd = received.indexOf('\r\n\r\n');
      if (headEnd < 0) return;
      const length = /\r\ncontent-length: (\d+)\r\n/i.exec(received)?.[1];
      if (length === undefined || !received.startsWith('HTTP/1.1 200')) {
        socket.destroy();
        return reject(new Error(`unexpected response: ${received.slice(0, headEnd)}`));
      }
      if (received.length < headEnd + 4 + Number(length)) return;
      received = '';
      sendNext();
    });
    socket.on('error', reject);
  });
}
