import { useContext } from 'preact/hooks';
import { Commands } from '../../ui/commands.tsx';
import { PaneContext } from '../../ui/pane.tsx';
import { untilNextPaint } from '../../shell/engine.tsx';
import { printTexts } from '../../text/interchange/phone-interchange.ts';

/** Prints the screen of a phone. The panes of a desk print themselves. */
export function PrintCommand() {
  const isAtDesk = useContext(PaneContext) !== null;
  return isAtDesk ? null : <Commands isStacked commands={[{ label: printTexts.print, run: printScreen }]} />;
}

/** Waits for a dialog that closes at the same tap. */
export const printScreen = (): void => void untilNextPaint().then(() => print());
