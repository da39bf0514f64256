/** The dialogs of API keys: one creates a key and shows its secret once, the other shows a key and revokes it. */
import type { ApiKey, NewApiKeyResult, Scope } from '../../../client.ts';
import { useState } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { keysOf } from '../../ui/keys-of.ts';
import { showToast } from '../../ui/toast.tsx';
import { useGemba } from '../../shell/engine.tsx';
import { dateTimeText } from '../../text/format.ts';
import { WaitingNotice, useServerRequest } from './server-request.tsx';
import { RevokeQuestion } from './revoke-question.tsx';
import { useNameField } from '../use-name-field.ts';
import { deviceTexts, keyTexts } from '../../text/phone-on-demand.ts';

/** A new key may only read at first, since most programs only read. */
const initialScopes: Scope[] = ['read'];

interface CommonDialogProps {
  onClose(): void;
  onChanged(): void;
}

export function NewKeyDialog({ open, onClose, onChanged }: CommonDialogProps & { open: boolean }) {
  const [created, setCreated] = useState<NewApiKeyResult>();
  const close = () => {
    setCreated(undefined);
    onClose();
  };
  const onCreated = (result: NewApiKeyResult) => {
    setCreated(result);
    onChanged();
  };
  return (
    <Dialog open={open} title={created ? keyTexts.createdTitle(created.key.name) : keyTexts.newKey} onClose={close}>
      {created ? <NewKeySecret secret={created.api_key} onClose={close} /> : <NewKeyForm onCreated={onCreated} />}
    </Dialog>
  );
}

function NewKeyForm({ onCreated }: { onCreated(result: NewApiKeyResult): void }) {
  const gemba = useGemba();
  const { busy, failure, run } = useServerRequest();
  const nameField = useNameField({ initial: undefined, missingText: keyTexts.unnamed });
  const [selected, setSelected] = useState<readonly Scope[]>(initialScopes);
  const toggle = (scope: Scope) =>
    setSelected(selected.includes(scope) ? selected.filter((other) => other !== scope) : [...selected, scope]);
  const create = (event: Event) => {
    nameField.check(event);
    if (nameField.name === '' || selected.length === 0 || busy) return;
    void run(gemba.createKey({ name: nameField.name, scopes: [...selected] }), onCreated);
  };
  return (
    <form class="stack" onSubmit={create}>
      <Field
        label={keyTexts.name}
        hint={keyTexts.nameHint}
        {...nameField.field}
        error={nameField.field.error ?? failure}
      />
      <fieldset class="key-scopes">
        <legend>{keyTexts.permissions}</legend>
        {keysOf(keyTexts.scopes).map((scope) => (
          <label key={scope}>
            <input type="checkbox" checked={selected.includes(scope)} onChange={() => toggle(scope)} />
            <span>{keyTexts.scopes[scope]}</span>
          </label>
        ))}
      </fieldset>
      <p class="field-error" role="alert">
        {selected.length === 0 && keyTexts.noScope}
      </p>
      <Button type="submit" look="primary" wide aria-busy={busy}>
        {keyTexts.create}
      </Button>
      <WaitingNotice busy={busy} />
    </form>
  );
}

function NewKeySecret({ secret, onClose }: { secret: string; onClose(): void }) {
  const [copied, setCopied] = useState(false);
  const copy = () =>
    navigator.clipboard?.writeText(secret).then(
      () => setCopied(true),
      () => undefined,
    );
  return (
    <>
      <p>{keyTexts.shownOnce}</p>
      <p class="key-secret" aria-label={keyTexts.secret}>
        {secret}
      </p>
      <div class="actions">
        <Button onClick={() => void copy()}>{copied ? keyTexts.copied : keyTexts.copy}</Button>
        <Button look="primary" onClick={onClose}>
          {keyTexts.done}
        </Button>
      </div>
    </>
  );
}

interface KeyDialogProps extends CommonDialogProps {
  selected: ApiKey | undefined;
  creator: string | undefined;
}

export function KeyDialog({ selected, creator, onClose, onChanged }: KeyDialogProps) {
  const gemba = useGemba();
  const [revoking, setRevoking] = useState(false);
  const close = () => {
    setRevoking(false);
    onClose();
  };
  const done = (name: string) => {
    close();
    showToast({ text: deviceTexts.isRevoked(name) });
    onChanged();
  };
  return (
    <>
      <Dialog open={selected !== undefined && !revoking} title={selected?.name ?? ''} onClose={close}>
        {selected && <KeyDetails apiKey={selected} creator={creator} onRevoke={() => setRevoking(true)} />}
      </Dialog>
      <Dialog open={revoking} title={deviceTexts.revokeTitle(selected?.name ?? '')} onClose={close}>
        {selected && (
          <RevokeQuestion
            revoke={() => gemba.revokeKey(selected.id)}
            onDone={() => done(selected.name)}
            onClose={close}
          >
            <p>{keyTexts.revokeText}</p>
          </RevokeQuestion>
        )}
      </Dialog>
    </>
  );
}

interface KeyDetailsProps {
  apiKey: ApiKey;
  creator: string | undefined;
  onRevoke(): void;
}

function KeyDetails({ apiKey: { last_four, created_at, scopes: permissions }, creator, onRevoke }: KeyDetailsProps) {
  return (
    <>
      <p class="soft">
        {keyTexts.lastFour(last_four)} · {keyTexts.created(dateTimeText(created_at), creator)}
      </p>
      <div>
        <b>{keyTexts.permissions}</b>
        <ul>
          {permissions.map((scope) => (
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
