/** The test page: the engine, and two functions that read its observables. */
import { firstValueFrom, type Observable } from 'rxjs';
import { filter } from 'rxjs/operators';
import { openGemba, runScope, type ScopedGemba } from '../../client/client.ts';
import { manualTimers } from '../device/manual-timers.ts';
import { finishAll, performAct, shownBy } from '../device/recorder-acts.ts';

declare global {
  interface Window {
    openGemba: typeof openGemba;
    runScope: typeof runScope;
    manualTimers: typeof manualTimers;
    recorder: { performAct: typeof performAct; shownBy: typeof shownBy; finishAll: typeof finishAll };
    /** Fires the timer of this length, in an engine with manual timers. */
    fire: (ms: number) => void;
    /** The engine that the test opened. */
    gemba: ScopedGemba;
    current: <Value>(of$: Observable<Value>) => Promise<Value>;
    eventually: <Value>(of$: Observable<Value>, holds: (value: Value) => boolean) => Promise<Value>;
  }
}

window.openGemba = openGemba;
window.runScope = runScope;
window.manualTimers = manualTimers;
window.recorder = { performAct, shownBy, finishAll };
window.current = (of$) => firstValueFrom(of$);
window.eventually = (of$, holds) => firstValueFrom(of$.pipe(filter(holds)));
