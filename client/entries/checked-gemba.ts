/**
 * The engine for apps that install the package. Its verbs check their arguments, and its observables fail once the
 * engine is closed.
 */
import { defer, isObservable, throwError, type Observable } from 'rxjs';
import { map } from 'rxjs/operators';
import { closedError } from '../core/lifetime.ts';
import type { EarlyEngine, Gemba } from '../gemba.ts';
import { toCheckedRecording, toCheckedStart } from './checked-recording.ts';

/** `explain` adds to `status$` why the device cannot reach its server (explain-address.ts). */
export function toCheckedGemba<Engine extends Gemba>(gemba: Engine, explain: ExplainStatus): Engine {
  let isClosed = false;
  /**
   * Makes the observable fail with `closed` after `close`. The engine's own observable would complete without a value,
   * and `firstValueFrom` would fail with RxJS's `EmptyError`.
   */
  const whileOpen = <Value>(source: Observable<Value>): Observable<Value> =>
    defer(() => (isClosed ? throwError(closedError) : source));
  const checked = {
    ...gemba,
    ...toCheckedEarlyEngine(gemba),
    status$: explain(gemba.status$),
    restoreRecording: async (session: string) => toCheckedRecording(await gemba.restoreRecording(session)),
    close: () => {
      isClosed = true;
      return gemba.close();
    },
  };
  const guarded = Object.entries(checked).map(([name, member]: [string, unknown]) => {
    if (isObservable(member)) return [name, whileOpen(member)];
    if (!isObservableMethod(name, member)) return [name, member];
    return [name, (...args: never[]) => whileOpen(member(...args))];
  });
  return Object.fromEntries(guarded) as Engine;
}

export type ExplainStatus = (status$: Gemba['status$']) => Gemba['status$'];

type ObservableMethod = (...args: never[]) => Observable<unknown>;

/** Recognizes a method that returns an observable: the engine's names of such methods end with `$`. */
const isObservableMethod = (name: string, member: unknown): member is ObservableMethod =>
  name.endsWith('$') && typeof member === 'function';

/** Checks the arguments of the verbs that work before the engine is fully open. */
export function toCheckedEarlyEngine<Early extends Pick<EarlyEngine, 'recording$' | 'startRecording'>>(
  early: Early,
): Early {
  return {
    ...early,
    recording$: early.recording$.pipe(map((recording) => recording && toCheckedRecording(recording))),
    startRecording: toCheckedStart((target) => early.startRecording(target)),
  };
}
