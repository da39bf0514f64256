/** The event stream of a device, observed on its way. */
import { setImmediate as turnOfTheEventLoop } from 'node:timers/promises';
import { firstValueFrom, ReplaySubject } from 'rxjs';
import { skip } from 'rxjs/operators';
import type { Network } from './devices.ts';

/** Passes the event stream on. `next` resolves when the device has read one more event. */
export function observedEvents(net: Network) {
  const arrived = new ReplaySubject<void>();
  let read = 0;
  net.answers('sync/events', async (ask) => {
    const response = await ask();
    const watch = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        controller.enqueue(chunk);
        for (const _event of Buffer.from(chunk)
          .toString()
          .matchAll(/event: cursor/g))
          arrived.next();
      },
    });
    return new Response(response.body!.pipeThrough(watch), response);
  });
  return {
    next: async () => {
      await firstValueFrom(arrived.pipe(skip(read++)));
      await turnOfTheEventLoop();
    },
  };
}
