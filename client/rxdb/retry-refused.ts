/** Pulls again what the storage of a collection refused. RxDB itself retries a pull that failed, and no write. */
import type { RxReplicationState } from 'rxdb/plugins/replication';
import type { GembaCheckpoint, PullSource } from './pull-source.ts';
import type { Identified } from './records.ts';
import { RetryPace } from './retry-pace.ts';

type Replication<Doc> = Pick<RxReplicationState<Doc, GembaCheckpoint>, 'active$' | 'canceled$' | 'retryTime'>;

export function retryRefused<Doc extends Identified>(replication: Replication<Doc>, source: PullSource<Doc>): void {
  const pace = new RetryPace(replication.retryTime ?? 0);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let dueAtMs = Infinity;
  const cancel = () => {
    clearTimeout(timer);
    dueAtMs = Infinity;
  };
  const retryWithin = (ms: number) => {
    const atMs = performance.now() + ms;
    if (atMs >= dueAtMs) return;
    clearTimeout(timer);
    dueAtMs = atMs;
    timer = setTimeout(() => {
      dueAtMs = Infinity;
      source.retry(pace.documentsMax);
    }, ms);
  };
  const onRest = () => {
    const result = source.settle();
    if (!source.hasRefused) {
      cancel();
      return pace.reset();
    }
    retryWithin(result ? pace.next(result) : pace.waitMs);
  };
  replication.active$.subscribe((isActive) => !isActive && onRest());
  replication.canceled$.subscribe((isCancelled) => isCancelled && cancel());
}
