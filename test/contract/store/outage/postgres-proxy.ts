/** A TCP proxy before PostgreSQL that can cut or hold a connection when it carries a given text. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

type When = 'sent' | 'answered';

export interface Proxy {
  url: string;
  /** Cuts the next connection that sends or answers this text, and drops the text. */
  cutAt(text: string, when: When): void;
  /** Holds the next message that contains this text until it is released. */
  hold(text: string): Held;
  /** Adds PostgreSQL's notice of termination to this answer, so that both arrive in one read. */
  endBehind(answer: string): void;
  close(): void;
}

export interface Held {
  /** Resolves when a message is held. */
  holds: Promise<void>;
  release(): void;
}

export async function startProxy(url: string): Promise<Proxy> {
  const target = new URL(url);
  let hold: { text: string; tellHeld: () => void; released: Promise<void> } | undefined;
  let cut: { text: string; when: When; lastWords?: Buffer } | undefined;
  const server = createServer((client) => {
    const database = connect(Number(target.port || 5432), target.hostname);
    for (const socket of [client, database]) socket.on('error', () => {});
    client.on('close', () => database.destroy());
    database.on('close', () => client.destroy());
    const pass = (from: Socket, to: Socket, when: When) =>
      from.on('data', (chunk) => {
        if (hold && when === 'sent' && chunk.includes(hold.text)) {
          const { tellHeld, released } = hold;
          hold = undefined;
          from.pause();
          void released.then(() => {
            to.write(chunk);
            from.resume();
          });
          return tellHeld();
        }
        if (cut?.when !== when || !chunk.includes(cut.text)) return void to.write(chunk);
        const { lastWords } = cut;
        cut = undefined;
        if (lastWords) to.end(Buffer.concat([chunk, lastWords]));
        else client.destroy();
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
    hold(text) {
      let [tellHeld, release] = [() => {}, () => {}];
      const holds = new Promise<void>((resolve) => (tellHeld = resolve));
      const released = new Promise<void>((resolve) => (release = resolve));
      hold = { text, tellHeld, released };
      return { holds, release };
    },
    endBehind(answer) {
      cut = { text: answer, when: 'answered', lastWords: terminationMessage };
    },
    close: () => server.close(),
  };
}

/** ErrorResponse, https://www.postgresql.org/docs/current/protocol-message-formats.html */
const terminationMessage = (() => {
  const fields = Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0');
  const head = Buffer.from('E\0\0\0\0');
  head.writeInt32BE(4 + fields.length, 1);
  return Buffer.concat([head, fields]);
})();
