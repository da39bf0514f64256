/**
 * Reads an strace of a process that commits and then prints `ack`: between the last write to the database's log and the
 * ack there must be a completed sync of the log.
 */
export interface TracedAck {
  /** The process wrote to the log since the last ack. */
  written: boolean;
  /** All writes to the log were synced before the ack. */
  synced: boolean;
}

/** The options of `strace` whose output `readTrace` takes. `-y` adds the file's path to each descriptor. */
export const straceOptions = ['-f', '-y', '-s', '16', '-e', 'trace=write,pwrite64,writev,pwritev,fsync,fdatasync'];

export function readTrace(trace: string): TracedAck[] {
  const acks: TracedAck[] = [];
  let state: TracedAck = { written: false, synced: false };
  /** Threads whose sync of the log has begun and not ended. */
  const syncing = new Set<string>();
  for (const line of trace.split('\n')) {
    const [, thread = '', call = ''] = /^(\d+)\s+(.*)$/.exec(line) ?? [];
    if (/^p?writev?(64)?\(\d+<[^>]*-wal>/.test(call)) state = { written: true, synced: false };
    else if (/^f(data)?sync\(\d+<[^>]*-wal>\)\s+= 0/.test(call)) state.synced = true;
    else if (/^f(data)?sync\(\d+<[^>]*-wal> <unfinished/.test(call)) syncing.add(thread);
    else if (/^<\.\.\. f(data)?sync resumed>\)\s+= 0/.test(call) && syncing.delete(thread)) state.synced = true;
    else if (/^write\(1<[^>]*>, "ack /.test(call)) {
      acks.push(state);
      state = { written: false, synced: false };
    }
  }
  return acks;
}
