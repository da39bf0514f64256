/**
 * `npm run carry -- --listen ADDRESS --to URL` makes a computer at a site, such as a laptop or a gateway, carry the
 * work of the devices there. The token for deliveries comes from the environment variable `CARRIER_TOKEN`, since other
 * users of the computer see the arguments of a command.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fail } from '../server/cli/fail.ts';
import { isLoopback } from '../server/cli/phone-address.ts';
import { commandText } from '../server/cli/usage.ts';
import { channelPath, openCarrierServer, type CarrierServerOptions } from './carrier-server.ts';

const usage = `usage: ${commandText('carry', '--listen HOST:PORT --to URL [--data FOLDER] [--cert FILE --key FILE]')}`;

const options = readOptions();
if (options)
  await carry(options).catch((error: unknown) => fail(error instanceof Error ? error.message : String(error)));

async function carry(given: CarrierServerOptions): Promise<void> {
  const { protocol, hostname } = new URL(given.to);
  if (protocol === 'http:' && !isLoopback(hostname.replace(/^\[|\]$/g, ''))) {
    console.error(`gemba: ${given.to} is not encrypted: whoever listens on the way has CARRIER_TOKEN. Use https://.`);
  }
  const server = await openCarrierServer(given);
  const scheme = given.tls ? 'wss' : 'ws';
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void server.close().finally(() => process.exit(0)));
  }
  console.log(
    `Carries to ${given.to} what devices hand over at ${scheme}://${given.host}:${server.port}${channelPath}`,
  );
  if (!(await server.reachesServer())) {
    console.error(
      `gemba: ${given.to} takes no request now: it is away, or CARRIER_TOKEN is no token of it with the scope record. ` +
        'Carries until it does.',
    );
  }
}

function readOptions(): CarrierServerOptions | undefined {
  const texts = { type: 'string' } as const;
  try {
    const { values } = parseArgs({ options: { listen: texts, to: texts, data: texts, cert: texts, key: texts } });
    const { listen = '', to = '', data = 'carried', cert, key } = values;
    const { host, port } = /^(?<host>\[.+\]|[^:]+):(?<port>\d{1,5})$/.exec(listen)?.groups ?? {};
    const token = process.env['CARRIER_TOKEN'];
    if (!host || !port || !/^https?:/.test(to) || (cert === undefined) !== (key === undefined)) {
      fail(usage);
      return undefined;
    }
    if (!token) {
      fail('CARRIER_TOKEN must be a token of the server with the scope record, such as an API key');
      return undefined;
    }
    mkdirSync(data, { recursive: true });
    const tls = cert && key ? { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') } : undefined;
    const address = { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
    return { ...address, to, token, file: join(data, 'carried.db'), tls };
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error), usage);
    return undefined;
  }
}
