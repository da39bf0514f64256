/** The engine as apps of the package get it: its arguments are checked, and its observables say that it was closed. */
import { defer, isObservable, throwError, type Observable } from 'rxjs';
import { map } from 'rxjs/operators';
import { closedError } from '../core/lifetime.ts';
import type { EarlyEngine, Gemba } from '../gemba.ts';
import { checkedRecording, checkedStart } from './checked-recording.ts';

/** `explain` adds to a status what the engine leaves out. */
export function checkedGemba<Engine extends Gemba>(gemba: Engine, explain: Explain): Engine {
  let isClosed = false;
  /** Fails with `closed` after the end, where `firstValueFrom` would fail with RxJS's `EmptyError`. */
  const whileOpen = <Value>(source: Observable<Value>): Observable<Value> =>
    defer(() => (isClosed ? throwError(closedError) : source));
  const checked = {
    ...gemba,
    ...checkedEarly(gemba),
    status$: explain(gemba.status$),
    restoreRecording: async (session: string) => checkedRecording(await gemba.restoreRecording(session)),
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

export type Explain = (status$: Gemba['status$']) => Gemba['status$'];

type ObservableMethod = (...args: never[]) => Observable<unknown>;

/** The methods that return an observable, by the engine's rule for their names. */
const isObservableMethod = (name: string, member: unknown): member is ObservableMethod =>
  name.endsWith('$') && typeof member === 'function';

/** Checks the part of the engine that works before it is fully open. */
export function checkedEarly<Early extends Pick<EarlyEngine, 'recording$' | 'startRecording'>>(early: Early): Early {
  return {
    ...early,
    recording$: early.recording$.pipe(map((recording) => recording && checkedRecording(recording))),
    startRecording: checkedStart((target) => early.startRecording(target)),
  };
}
