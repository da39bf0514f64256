/** Asks a person before a device or a key is revoked. Shows the reason if the request fails. */
import type { ComponentChildren } from 'preact';
import { Button } from '../../ui/button.tsx';
import { texts } from '../../text/texts.ts';
import { WaitingNotice, useServerRequest } from './server-request.tsx';
import { deviceTexts } from '../../text/phone-on-demand.ts';

interface RevokeQuestionProps {
  revoke(): Promise<unknown>;
  onDone(): void;
  onClose(): void;
  /** The paragraphs that say what revoking does. */
  children: ComponentChildren;
}

export function RevokeQuestion({ revoke, onDone, onClose, children }: RevokeQuestionProps) {
  const { busy, failure, run } = useServerRequest();
  return (
    <>
      {children}
      <p class="field-error" role="alert">
        {failure}
      </p>
      <div class="actions">
        <Button onClick={onClose}>{texts.cancel}</Button>
        <Button look="danger" aria-busy={busy} onClick={() => busy || void run(revoke(), onDone)}>
          {deviceTexts.revoke}
        </Button>
      </div>
      <WaitingNotice busy={busy} />
    </>
  );
}
