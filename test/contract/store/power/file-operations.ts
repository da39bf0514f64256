/** Reads an strace of a process that commits and then prints `ack <version>`, with the bytes that it wrote. */
export type FileOperation =
  | { kind: 'create'; path: string }
  | { kind: 'write'; path: string; at: number; bytes: Buffer }
  | { kind: 'truncate'; path: string; size: number }
  | { kind: 'sync'; path: string }
  | { kind: 'ack'; version: number };

/** With `-xx` strace prints strings and paths in hex, so that no byte needs another escape. */
export const straceOptions = [
  '-f',
  '-y',
  '-xx',
  '-s',
  '1000000',
  '-e',
  'trace=openat,creat,write,writev,pwrite64,pwritev,ftruncate,truncate,fallocate,fsync,fdatasync,unlink,unlinkat,rename',
];

const hex = '([\\\\x0-9a-f]*)';
const file = `\\d+<${hex}>`;

const readers: [RegExp, (match: string[]) => FileOperation][] = [
  [
    new RegExp(`^openat\\([^"]*"${hex}", [A-Z_|]*O_CREAT\\b.* = \\d`),
    ([, path = '']) => ({ kind: 'create', path: textOf(path) }),
  ],
  [
    new RegExp(`^pwrite64\\(${file}, "${hex}", \\d+, (\\d+)\\) += \\d`),
    ([, path = '', bytes = '', at]) => ({ kind: 'write', path: textOf(path), at: Number(at), bytes: bytesOf(bytes) }),
  ],
  [
    new RegExp(`^ftruncate\\(${file}, (\\d+)\\) += 0`),
    ([, path = '', size]) => ({ kind: 'truncate', path: textOf(path), size: Number(size) }),
  ],
  [new RegExp(`^f(?:data)?sync\\(${file}\\) += 0`), ([, path = '']) => ({ kind: 'sync', path: textOf(path) })],
  [
    // "ack " in hex.
    new RegExp(`^write\\(1<[^>]*>, "\\\\x61\\\\x63\\\\x6b\\\\x20${hex}"`),
    ([, version = '']) => ({ kind: 'ack', version: Number(textOf(version)) }),
  ],
];

/** Returns the operations on files below the folder, and the acks, in their order. */
export function readOperations(trace: string, folder: string): FileOperation[] {
  const operations: FileOperation[] = [];
  for (const call of completedCalls(trace)) {
    const found = readers.map(([pattern, read]) => ({ match: pattern.exec(call), read })).find(({ match }) => match);
    const operation = found?.match && found.read([...found.match]);
    if (operation?.kind === 'ack' || operation?.path.startsWith(folder)) operations.push(operation);
    else if (!operation) assertUnrelated(call, folder);
  }
  return operations;
}

/** A call that another thread interrupts stands on two lines of the trace, which this joins. */
function* completedCalls(trace: string): Iterable<string> {
  const begun = new Map<string, string>();
  for (const line of trace.split('\n')) {
    const [, thread = '', text = ''] = /^(\d+)\s+(.*)$/.exec(line) ?? [];
    const [unfinished, before = ''] = /^(.*) <unfinished \.\.\.>$/.exec(text) ?? [];
    const [resumed, after = ''] = /^<\.\.\. \w+ resumed>(.*)$/.exec(text) ?? [];
    if (unfinished !== undefined) begun.set(thread, before);
    else yield resumed === undefined ? text : `${begun.get(thread) ?? ''}${after}`;
  }
}

const readOnly = /^openat\(|^\+\+\+|^---|^$|= -1 E/;

/** Throws at a change of the folder that the model of the disk does not know. */
function assertUnrelated(call: string, folder: string): void {
  if (!readOnly.test(call) && textOf(call).includes(folder))
    throw new Error(`not modelled: ${textOf(call).slice(0, 200)}`);
}

const bytesOf = (escaped: string): Buffer => Buffer.from(escaped.replaceAll('\\x', ''), 'hex');
const textOf = (escaped: string): string =>
  escaped.replaceAll(/(?:\\x[0-9a-f]{2})+/g, (run) => bytesOf(run).toString('utf8'));
