/** Asks before a device joins an account, since a pairing link may come from a stranger. */
import type { DeviceKind } from '../../client.ts';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../ui/button.tsx';
import { pairTexts } from '../text/pairing.ts';
import { texts } from '../text/texts.ts';

interface JoinQuestionProps {
  account: string;
  kind: DeviceKind;
  isJoining: boolean;
  onJoin(): void;
  onCancel(): void;
}

export function JoinQuestion({ account, kind, isJoining, onJoin, onCancel }: JoinQuestionProps) {
  const { join: joinTexts } = pairTexts;
  const heading = useRef<HTMLHeadingElement>(null);
  // Focus the heading, since the button with the focus is now hidden. A screen reader then reads the heading.
  useEffect(() => {
    scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <>
      <div class="stack">
        <h1 ref={heading} tabIndex={-1}>
          {joinTexts.title(account)}
        </h1>
        <p class="soft">{joinTexts.text[kind]}</p>
      </div>
      <div class="stack">
        <Button look="primary" wide aria-busy={isJoining} onClick={onJoin}>
          {isJoining ? joinTexts.joining : joinTexts.submit}
        </Button>
        <Button wide disabled={isJoining} onClick={onCancel}>
          {texts.cancel}
        </Button>
      </div>
    </>
  );
}
