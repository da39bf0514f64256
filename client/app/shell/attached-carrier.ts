/** The carrier of this phone. It attaches the inspector, too. */
import { defer } from 'rxjs';
import { switchMap } from 'rxjs/operators';
import { createCarrier, type Carrier } from '../../client.ts';
import type { InspectedRelay } from '../../entries/devtools.ts';
import { attachedInspector } from './devtools/attached-inspector.ts';

const carrier = createCarrier();

const loadHandOver = () => import('./attached-hand-over.ts').then(({ attachedHandOver }) => attachedHandOver);
/** The reads of the hand-over, whose code the inspector loads at its first look. */
const handOver: NonNullable<InspectedRelay['handOver']> = {
  carriers$: (session) => defer(loadHandOver).pipe(switchMap(({ carriers$ }) => carriers$(session))),
  handOverProblem$: defer(loadHandOver).pipe(switchMap(({ handOverProblem$ }) => handOverProblem$)),
};

/** Attaches the inspector, too, so that the start of a phone has no code of it. */
export const attachedCarrier: Carrier = {
  ...carrier,
  attach: (engine, status$) => {
    carrier.attach(engine, status$);
    attachedInspector.attach(engine, status$, { carrier, handOver });
  },
};
