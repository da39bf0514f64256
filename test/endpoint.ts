/** An endpoint of another system: a real HTTP server on loopback that keeps what was posted to it. */
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook as Verifier } from 'standardwebhooks';

export interface Posted {
  headers: IncomingHttpHeaders;
  body: string;
}

export class Endpoint {
  readonly posted: Posted[] = [];
  /** Answers a request once its body is there. */
  answer: (response: ServerResponse, posted: Posted) => void = (response) => void response.writeHead(204).end();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (text: string) => (body += text));
      request.on('end', () => {
        const posted = { headers: request.headers, body };
        this.posted.push(posted);
        this.answer(response, posted);
      });
    });
  }

  static async open(): Promise<Endpoint> {
    const endpoint = new Endpoint();
    await new Promise<void>((resolve) => endpoint.#server.listen(0, '127.0.0.1', resolve));
    return endpoint;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/gemba`;
  }

  /** The events in the order in which they came, as `type version`. */
  told(): string[] {
    return this.posted.map(({ body }) => JSON.parse(body)).map(({ type, data }) => `${type} ${data.version}`);
  }

  ids(): string[] {
    return this.posted.map(({ headers }) => String(headers['webhook-id']));
  }

  answerWith(status: number, body = '', headers: Record<string, string> = {}): void {
    this.answer = (response) => void response.writeHead(status, headers).end(body);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Throws unless one of the signatures was made with the secret in the last five minutes, as the library of Standard Webhooks decides. */
export function verify(secret: string, { headers, body }: Posted): unknown {
  return new Verifier(secret).verify(body, headers as Record<string, string>);
}

/** Says whether the library of Standard Webhooks makes one of the signatures, at whatever time the server's clock has. */
export function isSignedWith(secret: string, { headers, body }: Posted): boolean {
  const at = new Date(Number(headers['webhook-timestamp']) * 1000);
  const made = new Verifier(secret).sign(String(headers['webhook-id']), at, body);
  return String(headers['webhook-signature']).split(' ').includes(made);
}
