/** Asks before something is revoked: what that means, and why the server did not do it. */
import type { ComponentChildren } from 'preact';
import { Button } from '../../ui/button.tsx';
import { texts } from '../../text/texts.ts';
import { Asking, useAsked } from './asked.tsx';
import { deviceTexts } from '../../text/phone-devices.ts';

interface RevokeQuestionProps {
  revoke(): Promise<unknown>;
  onDone(): void;
  onClose(): void;
  /** Each paragraph explains one effect of revoking. */
  children: ComponentChildren;
}

export function RevokeQuestion({ revoke, onDone, onClose, children }: RevokeQuestionProps) {
  const { busy, trouble, ask } = useAsked();
  return (
    <>
      {children}
      <p class="field-error" role="alert">
        {trouble}
      </p>
      <div class="ways">
        <Button onClick={onClose}>{texts.cancel}</Button>
        <Button look="danger" aria-busy={busy} onClick={() => busy || void ask(revoke(), onDone)}>
          {deviceTexts.revoke}
        </Button>
      </div>
      <Asking busy={busy} />
    </>
  );
}
