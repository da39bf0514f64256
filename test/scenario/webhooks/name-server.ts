/** A DNS server on loopback (RFC 1035) that answers each query for an IPv4 address as the test says. */
import { createSocket } from 'node:dgram';
import { getServers, setServers } from 'node:dns';

const headerBytes = 12;
const typeA = 1;

/** Makes this process ask the server instead of the machine's. `addressesOf` gets the name, and the count of its queries. */
export async function startNameServer(
  addressesOf: (name: string, queries: number) => string[],
): Promise<{ stop(): Promise<void> }> {
  const counts = new Map<string, number>();
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const { name, end } = readName(query);
    const isIpv4 = query.readUInt16BE(end) === typeA;
    const queries = (counts.get(name) ?? 0) + (isIpv4 ? 1 : 0);
    counts.set(name, queries);
    socket.send(answerTo(query.subarray(0, end + 4), isIpv4 ? addressesOf(name, queries) : []), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const before = getServers();
  setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    stop: async () => {
      setServers(before);
      await new Promise<void>((resolve) => socket.close(() => resolve()));
    },
  };
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = headerBytes;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), end: at + 1 };
}

function answerTo(question: Buffer, addresses: string[]): Buffer {
  const header = Buffer.from(question);
  // A response without an error to one question.
  header.writeUInt16BE(0x81_80, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  header.writeUInt32BE(0, 8);
  // Each answer points to the name of the question, and lives for no time.
  const answers = addresses.map((address) =>
    Buffer.from([0xc0, headerBytes, 0, typeA, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  );
  return Buffer.concat([header, ...answers]);
}
