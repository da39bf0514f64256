/** The test page: the engine, its part in the relay, and two functions that read its observables. */
import { firstValueFrom, type Observable } from 'rxjs';
import { filter } from 'rxjs/operators';
import {
  answerChannel,
  createCarrier,
  createHandOver,
  offerChannel,
  openGemba,
  runScope,
  type Carrier,
  type HandOver,
  type ScopedGemba,
} from '../../client/client.ts';
import { byteChannelOf } from '../../client/relay/data-channel.ts';
import { ChannelSide } from '../scenario/relay/channel-side.ts';
import { manualTimers } from '../device/manual-timers.ts';
import { makePicture } from './make-picture.ts';
import { finishAll, performAct, shownBy } from '../device/recorder-acts.ts';

declare global {
  interface Window {
    relay: {
      createCarrier: typeof createCarrier;
      createHandOver: typeof createHandOver;
      offerChannel: typeof offerChannel;
      answerChannel: typeof answerChannel;
      byteChannelOf: typeof byteChannelOf;
      ChannelSide: typeof ChannelSide;
    };
    openGemba: typeof openGemba;
    runScope: typeof runScope;
    manualTimers: typeof manualTimers;
    makePicture: typeof makePicture;
    recorder: { performAct: typeof performAct; shownBy: typeof shownBy; finishAll: typeof finishAll };
    /** Fires the timer of this length, in an engine with manual timers. */
    fire: (ms: number) => void;
    /** The engine that the test opened. */
    gemba: ScopedGemba;
    /** The part of that engine in a hand-over. */
    carrier: Carrier;
    handOver: HandOver;
    current: <Value>(of$: Observable<Value>) => Promise<Value>;
    eventually: <Value>(of$: Observable<Value>, holds: (value: Value) => boolean) => Promise<Value>;
  }
}

window.relay = { createCarrier, createHandOver, offerChannel, answerChannel, byteChannelOf, ChannelSide };
window.openGemba = openGemba;
window.runScope = runScope;
window.manualTimers = manualTimers;
window.makePicture = makePicture;
window.recorder = { performAct, shownBy, finishAll };
window.current = (of$) => firstValueFrom(of$);
window.eventually = (of$, holds) => firstValueFrom(of$.pipe(filter(holds)));
