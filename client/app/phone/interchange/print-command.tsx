import { useContext } from 'preact/hooks';
import { Commands } from '../../ui/commands.tsx';
import { PaneContext } from '../../ui/pane.tsx';
import { untilNextPaint } from '../../shell/engine.tsx';
import { printTexts } from '../../text/interchange/phone-interchange.ts';

/** The command that prints the screen of a phone. On a desk, each pane has its own command. */
export function PrintCommand() {
  const isAtDesk = useContext(PaneContext) !== null;
  return isAtDesk ? null : <Commands isStacked commands={[{ label: printTexts.print, run: printScreen }]} />;
}

/** Prints after the next paint, so that the dialog which the same tap closes is not printed. */
export const printScreen = (): void => void untilNextPaint().then(() => print());
