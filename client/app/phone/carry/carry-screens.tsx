/** The screen of a carrier, and the screen of a phone that hands over to a carrier. Both screens load together. */
import { CarryScreen } from './carry.tsx';
import { HandOverScreen } from './hand-over.tsx';

export type CarryScreenName = 'carry' | 'hand-over';

const screenByName = { carry: CarryScreen, 'hand-over': HandOverScreen } satisfies Record<CarryScreenName, unknown>;

export function CarryScreenOf({ name }: { name: CarryScreenName }) {
  const Screen = screenByName[name];
  return <Screen />;
}
