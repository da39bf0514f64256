/** Pulls again what the storage of a collection refused. RxDB itself retries a pull that failed, and no write. */
import type { RxReplicationState } from 'rxdb/plugins/replication';
import type { GembaCheckpoint, PullSource } from './pull-source.ts';
import type { Identified } from './records.ts';
import { RetryPace } from './retry-pace.ts';

type Replication<Doc> = Pick<RxReplicationState<Doc, GembaCheckpoint>, 'active$' | 'canceled$' | 'retryTime'>;

export function retryRefused<Doc extends Identified>(replication: Replication<Doc>, source: PullSource<Doc>): void {
  const pace = new RetryPace(replication.retryTime ?? 0);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const cancel = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const retryAfter = (ms: number) => {
    cancel();
    timer = setTimeout(() => {
      timer = undefined;
      source.retry(pace.documentsMax);
    }, ms);
  };
  const onRest = () => {
    const result = source.settle();
    if (!source.hasRefused) {
      cancel();
      return pace.reset();
    }
    const afterMs = result && pace.next(result);
    if (afterMs !== undefined || !timer) retryAfter(afterMs ?? pace.waitMs);
  };
  replication.active$.subscribe((isActive) => !isActive && onRest());
  replication.canceled$.subscribe((isCancelled) => isCancelled && cancel());
}
