/** A proxy between a device and its server that lists the requests and may refuse some. */
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

interface ProxiedRequest {
  path: string;
  status: number;
  contentEncoding: string | undefined;
  contentType: string | undefined;
  /** The size of the body. */
  bytesUp: number;
}

interface ObservingProxy {
  url: string;
  /** The requests that were answered, oldest first. */
  requests: ProxiedRequest[];
}

export interface ProxyOptions {
  /** Returns the status with which the proxy itself refuses a request, or undefined to pass the request on. */
  refuse?: (request: IncomingMessage) => number | undefined;
}

/** Closes the proxy when the test ends. */
export async function observingProxy(
  serverUrl: string,
  { refuse = () => undefined }: ProxyOptions = {},
): Promise<ObservingProxy> {
  const requests: ProxiedRequest[] = [];
  const proxy = createServer((asked, answer) => {
    const url = new URL(asked.url!, serverUrl);
    let bytesUp = 0;
    asked.on('data', (piece: Buffer) => (bytesUp += piece.length));
    const { 'content-encoding': contentEncoding, 'content-type': contentType } = asked.headers;
    const add = (status: number) =>
      requests.push({ path: url.pathname, status, contentEncoding, contentType, bytesUp });
    const refusedStatus = refuse(asked);
    if (refusedStatus !== undefined) {
      asked.on('end', () => {
        add(refusedStatus);
        answer.writeHead(refusedStatus, { 'Content-Type': 'text/html' }).end('<html>Blocked</html>');
      });
      return;
    }
    const { method, headers } = asked;
    const onward = request(url, { method, headers }, (answered) => {
      add(answered.statusCode!);
      answer.writeHead(answered.statusCode!, answered.headers);
      answered.on('error', () => answer.destroy()).pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    answer.on('close', () => onward.destroy());
    asked.pipe(onward);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, requests };
}
