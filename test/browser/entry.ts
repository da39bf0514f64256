/** What the test page has: the engine, and two ways to look at its observables. */
import { firstValueFrom, type Observable } from 'rxjs';
import { filter } from 'rxjs/operators';
import { openGemba, type Gemba } from '../../client/client.ts';

declare global {
  interface Window {
    openGemba: typeof openGemba;
    /** The engine that the test opened. */
    gemba: Gemba;
    current: <Value>(of$: Observable<Value>) => Promise<Value>;
    eventually: <Value>(of$: Observable<Value>, holds: (value: Value) => boolean) => Promise<Value>;
  }
}

window.openGemba = openGemba;
window.current = (of$) => firstValueFrom(of$);
window.eventually = (of$, holds) => firstValueFrom(of$.pipe(filter(holds)));
