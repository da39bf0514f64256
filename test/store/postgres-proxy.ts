/** A TCP proxy before PostgreSQL that can cut a connection at a given word. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

type When = 'sent' | 'answered';

export interface Proxy {
  url: string;
  /** Cuts the connection on which this text is sent next, or answered, and keeps it to itself. */
  cutAt(text: string, when: When): void;
  close(): void;
}

export async function startProxy(url: string): Promise<Proxy> {
  const target = new URL(url);
  let cut: { text: string; when: When } | undefined;
  const server = createServer((client) => {
    const database = connect(Number(target.port || 5432), target.hostname);
    for (const socket of [client, database]) socket.on('error', () => {});
    client.on('close', () => database.destroy());
    database.on('close', () => client.destroy());
    const pass = (from: Socket, to: Socket, when: When) =>
      from.on('data', (chunk) => {
        if (cut?.when !== when || !chunk.includes(cut.text)) return void to.write(chunk);
        cut = undefined;
        client.destroy();
      });
    pass(client, database, 'sent');
    pass(database, client, 'answered');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxied = new URL(url);
  proxied.hostname = '127.0.0.1';
  proxied.port = String((server.address() as AddressInfo).port);
  return {
    url: proxied.href,
    cutAt(text, when) {
      cut = { text, when };
    },
    close: () => server.close(),
  };
}
