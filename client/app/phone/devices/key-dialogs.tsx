/** Makes an API key, whose secret is shown once, and revokes one, which asks first. */
import { useState } from 'preact/hooks';
import type { Scope } from '../../../../shared/schema/account.ts';
import type { ApiKey, NewApiKeyResult } from '../../../../shared/schema/auth.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { toast } from '../../ui/toast.tsx';
import { useGemba } from '../../shell/engine.tsx';
import { moment } from '../../text/format.ts';
import { Asking, useAsked } from './asked.tsx';
import { RevokeQuestion } from './revoke-question.tsx';
import { useName } from '../use-name.ts';
import { deviceTexts, keyTexts } from '../../text/phone-devices.ts';

const scopes = Object.keys(keyTexts.scopes) as Scope[];
/** A program most often reads; what may do more is chosen. */
const scopesFirst: Scope[] = ['read'];

interface DialogProps {
  onClose(): void;
  onChanged(): void;
}

export function NewKeyDialog({ open, onClose, onChanged }: DialogProps & { open: boolean }) {
  const [made, setMade] = useState<NewApiKeyResult>();
  const close = () => {
    setMade(undefined);
    onClose();
  };
  const onMade = (result: NewApiKeyResult) => {
    setMade(result);
    onChanged();
  };
  return (
    <Dialog open={open} title={made ? keyTexts.madeTitle(made.key.name) : keyTexts.make} onClose={close}>
      {made ? <MadeKey secret={made.api_key} onClose={close} /> : <NewKeyForm onMade={onMade} />}
    </Dialog>
  );
}

function NewKeyForm({ onMade }: { onMade(made: NewApiKeyResult): void }) {
  const gemba = useGemba();
  const { busy, trouble, ask } = useAsked();
  const name = useName({ begun: undefined, missing: keyTexts.unnamed });
  const [chosen, setChosen] = useState<readonly Scope[]>(scopesFirst);
  const toggle = (scope: Scope) =>
    setChosen(chosen.includes(scope) ? chosen.filter((other) => other !== scope) : [...chosen, scope]);
  const make = (event: Event) => {
    name.check(event);
    if (name.given === '' || chosen.length === 0 || busy) return;
    void ask(gemba.createKey({ name: name.given, scopes: [...chosen] }), onMade);
  };
  return (
    <form class="stack" onSubmit={make}>
      <Field label={keyTexts.name} hint={keyTexts.nameHint} {...name.field} error={name.field.error ?? trouble} />
      <fieldset class="key-scopes">
        <legend>{keyTexts.may}</legend>
        {scopes.map((scope) => (
          <label key={scope}>
            <input type="checkbox" checked={chosen.includes(scope)} onChange={() => toggle(scope)} />
            <span>{keyTexts.scopes[scope]}</span>
          </label>
        ))}
      </fieldset>
      <p class="field-error" role="alert">
        {chosen.length === 0 && keyTexts.noScope}
      </p>
      <Button type="submit" look="primary" wide aria-busy={busy}>
        {keyTexts.makeNow}
      </Button>
      <Asking busy={busy} />
    </form>
  );
}

function MadeKey({ secret, onClose }: { secret: string; onClose(): void }) {
  const [copied, setCopied] = useState(false);
  const copy = () =>
    navigator.clipboard?.writeText(secret).then(
      () => setCopied(true),
      () => undefined,
    );
  return (
    <>
      <p>{keyTexts.once}</p>
      <p class="key-secret" aria-label={keyTexts.secret}>
        {secret}
      </p>
      <div class="ways">
        <Button onClick={() => void copy()}>{copied ? keyTexts.copied : keyTexts.copy}</Button>
        <Button look="primary" onClick={onClose}>
          {keyTexts.done}
        </Button>
      </div>
    </>
  );
}

interface KeyDialogProps extends DialogProps {
  chosen: ApiKey | undefined;
  /** In words. */
  maker: string | undefined;
}

export function KeyDialog({ chosen, maker, onClose, onChanged }: KeyDialogProps) {
  const gemba = useGemba();
  const [revoking, setRevoking] = useState(false);
  const close = () => {
    setRevoking(false);
    onClose();
  };
  const done = (name: string) => {
    close();
    toast({ text: deviceTexts.isRevoked(name) });
    onChanged();
  };
  return (
    <>
      <Dialog open={chosen !== undefined && !revoking} title={chosen?.name ?? ''} onClose={close}>
        {chosen && <KeyFacts of={chosen} maker={maker} onRevoke={() => setRevoking(true)} />}
      </Dialog>
      <Dialog open={revoking} title={deviceTexts.revokeTitle(chosen?.name ?? '')} onClose={close}>
        {chosen && (
          <RevokeQuestion revoke={() => gemba.revokeKey(chosen.id)} onDone={() => done(chosen.name)} onClose={close}>
            <p>{keyTexts.revokeText}</p>
          </RevokeQuestion>
        )}
      </Dialog>
    </>
  );
}

interface KeyFactsProps {
  of: ApiKey;
  maker: string | undefined;
  onRevoke(): void;
}

function KeyFacts({ of: { last_four, created_at, scopes: may }, maker, onRevoke }: KeyFactsProps) {
  return (
    <>
      <p class="soft">
        {keyTexts.ends(last_four)} · {keyTexts.made(moment(created_at), maker)}
      </p>
      <div>
        <b>{keyTexts.may}</b>
        <ul>
          {may.map((scope) => (
            <li key={scope}>{keyTexts.scopes[scope]}</li>
          ))}
        </ul>
      </div>
      <Button look="danger" wide onClick={onRevoke}>
        {deviceTexts.revoke}
      </Button>
    </>
  );
}
