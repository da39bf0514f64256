/** The carrier of a phone, with the phone's inspector. relay.ts loads this file once the engine has opened. */
import { defer } from 'rxjs';
import { switchMap } from 'rxjs/operators';
import { createCarrier, type Carrier } from '../../client.ts';
import type { InspectedRelay } from '../../entries/devtools.ts';
import { appInspector } from './devtools/app-inspector.ts';

const carrier = createCarrier();

const loadHandOver = () => import('./attached-hand-over.ts').then(({ attachedHandOver }) => attachedHandOver);
/** Lets the inspector read the hand-over, whose code loads at the inspector's first subscription. */
const handOver: NonNullable<InspectedRelay['handOver']> = {
  carriers$: (session) => defer(loadHandOver).pipe(switchMap(({ carriers$ }) => carriers$(session))),
  handOverProblem$: defer(loadHandOver).pipe(switchMap(({ handOverProblem$ }) => handOverProblem$)),
};

/**
 * The carrier. Its `attach` also attaches the inspector, so that both load with this file, not at the start of a phone.
 */
export const attachedCarrier: Carrier = {
  ...carrier,
  attach: (engine, status$) => {
    carrier.attach(engine, status$);
    appInspector.attach(engine, status$, { carrier, handOver });
  },
};
