/**
 * Reads an strace of a server that takes an upload: before each reply 204, the file of the upload must be synced after the last
 * write to it, and the log of the database after that.
 */
export interface TracedPiece {
  bytes: 'synced' | 'not synced' | 'not written';
  offset: 'synced after the bytes' | 'not synced after the bytes';
}

/**
 * The options of `strace` whose output `readUploadTrace` takes. `-y` adds the file's path to each descriptor. With `-D` the
 * server is the process that the test started and kills: without it, that was strace, whose end left the server behind.
 */
export const uploadTraceOptions = [
  '-D',
  '-f',
  '-y',
  '-s',
  '16',
  '-e',
  'trace=write,pwrite64,writev,pwritev,fsync,fdatasync,sendto,sendmsg',
];

export function readUploadTrace(trace: string): TracedPiece[] {
  const pieces: TracedPiece[] = [];
  let piece: TracedPiece = { bytes: 'not written', offset: 'not synced after the bytes' };
  let isLogWritten = false;
  /** Threads whose sync has begun and not ended, with the file. */
  const syncing = new Map<string, 'upload' | 'log'>();
  const synced = (what: 'upload' | 'log') => {
    if (what === 'upload') piece = { bytes: 'synced', offset: 'not synced after the bytes' };
    else if (isLogWritten && piece.bytes === 'synced') piece.offset = 'synced after the bytes';
    isLogWritten &&= what === 'upload';
  };
  for (const line of trace.split('\n')) {
    const [, thread = '', call = ''] = /^(\d+)\s+(.*)$/.exec(line) ?? [];
    const what = /^[\w]+\(\d+<[^>]*\.part>/.test(call)
      ? 'upload'
      : /^\w+\(\d+<[^>]*-wal>/.test(call)
        ? 'log'
        : undefined;
    const isSync = /^f(data)?sync\(/.test(call);
    if (what && isSync && call.endsWith('= 0')) synced(what);
    else if (what && isSync && call.includes('<unfinished')) syncing.set(thread, what);
    else if (what === 'upload') piece = { bytes: 'not synced', offset: 'not synced after the bytes' };
    else if (what === 'log') isLogWritten = true;
    else if (/^<\.\.\. f(data)?sync resumed>\)\s+= 0/.test(call) && syncing.has(thread)) {
      synced(syncing.get(thread)!);
      syncing.delete(thread);
    } else if (call.includes('"HTTP/1.1 204')) {
      pieces.push(piece);
      piece = { bytes: 'not written', offset: 'not synced after the bytes' };
    }
  }
  return pieces;
}
