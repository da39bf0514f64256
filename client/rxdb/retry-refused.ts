/**
 * Makes RxDB pull documents again that the collection's storage refused. RxDB itself retries a failed pull, but no
 * refused write.
 */
import type { RxReplicationState } from 'rxdb/plugins/replication';
import type { GembaCheckpoint, PullSource } from './pull-source.ts';
import type { Identified } from './records.ts';
import { RetrySchedule } from './retry-schedule.ts';

type Replication<Doc> = Pick<RxReplicationState<Doc, GembaCheckpoint>, 'active$' | 'canceled$' | 'retryTime'>;

export function retryRefused<Doc extends Identified>(replication: Replication<Doc>, source: PullSource<Doc>): void {
  const schedule = new RetrySchedule(replication.retryTime ?? 0);
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
      source.retry(schedule.documentsMax);
    }, ms);
  };
  const onRest = () => {
    const result = source.settle();
    if (!source.hasRefused) {
      cancel();
      return schedule.reset();
    }
    retryWithin(result ? schedule.next(result) : schedule.waitMs);
  };
  replication.active$.subscribe((isActive) => !isActive && onRest());
  replication.canceled$.subscribe((isCancelled) => isCancelled && cancel());
}
