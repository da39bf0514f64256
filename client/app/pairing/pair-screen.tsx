/**
 * Pairs this device by a link `/pair#CODE` or by a typed code. Browsers never send the part after the `#` to a server.
 * The screen reads the code once and removes it from the address.
 *
 *   form ── Pair: which account? ──► question ── Join ──► paired
 *    ▲ ▲                                │ │
 *    │ └──────────── Cancel ────────────┘ │
 *    └──────────── failure ───────────────┘
 */
import { useContext, useEffect, useState } from 'preact/hooks';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { showToast } from '../ui/toast.tsx';
import { FaceContext, deviceKindOf, useGemba, useValue } from '../shell/engine.tsx';
import { decodePercent, Link, navigate } from '../shell/router.tsx';
import { pairTexts } from '../text/pairing.ts';
import { suggestedDeviceName } from './device-name.ts';
import { JoinQuestion } from './join-question.tsx';
import { failureText } from './failure-text.ts';
import { hasUnsentWork, UnsentWorkCard, useUnsentCounts } from './unsent-work.tsx';
import { readPairedDeviceName, storePairedDeviceName } from './paired-name.ts';

export { loadPairTexts } from '../text/pairing.ts';

interface FormProblem {
  field: 'code' | 'name';
  text: string;
}

const brokenLinkProblem = (): FormProblem => ({ field: 'code', text: pairTexts.problems.broken });

/** Calls `onLeave` once the device is paired, or when a person continues without pairing. */
export function PairScreen({ onLeave }: { onLeave(): void }) {
  const { problems } = pairTexts;
  const gemba = useGemba();
  const face = useContext(FaceContext);
  const kind = deviceKindOf(face);
  const home = face === 'watch' ? '/watch' : '/';
  const nameBefore = readPairedDeviceName(face);
  const [linkedCode] = useState(takeCodeFromAddress);
  const [code, setCode] = useState(linkedCode ?? '');
  const [name, setName] = useState(() => nameBefore ?? suggestedDeviceName(face, navigator.userAgent));
  const [problem, setProblem] = useState<FormProblem | undefined>(
    linkedCode === undefined ? brokenLinkProblem() : undefined,
  );
  const [account, setAccount] = useState<string>();

  useNewPairingLink((newCode) => {
    setAccount(undefined);
    setProblem(newCode === undefined ? brokenLinkProblem() : undefined);
    if (newCode !== undefined) setCode(newCode);
  });

  // Scrolls to the invalid field: on a watch, the field lies above the visible part of the screen.
  useEffect(() => document.querySelector('.field:has([aria-invalid])')?.scrollIntoView({ block: 'center' }), [problem]);

  const { isBusy, attempt } = useAttempt({
    onStart: () => setProblem(undefined),
    onFailure(error) {
      setAccount(undefined);
      setProblem({ field: 'code', text: failureText(error) });
    },
  });
  const askAccount = (event: Event) => {
    event.preventDefault();
    if (code.trim() === '') return setProblem({ field: 'code', text: problems.empty });
    if (name.trim() === '') return setProblem({ field: 'name', text: problems.unnamed });
    return attempt(async () => setAccount((await gemba.pairingAccount(code.trim())).name));
  };
  const join = () =>
    attempt(async () => {
      await gemba.pair(code.trim(), name.trim());
      storePairedDeviceName(face, name.trim());
      showToast({ text: pairTexts.done });
      navigate(home, { replace: true });
      onLeave();
    });

  const unsent = useUnsentCounts();
  const wasSynced = useValue(gemba.status$)?.last_synced_at !== null;
  const continueUnpaired = () => {
    navigate(home, { replace: true });
    onLeave();
  };
  const isAsking = account !== undefined;
  // A watch that has synced before shows no unsent work here, so that its small screen shows the code field at once.
  const isUnsentShown = !isAsking && hasUnsentWork(unsent) && !(face === 'watch' && wasSynced);
  const unsentWork = isUnsentShown && (
    <UnsentWorkCard counts={unsent} onContinue={wasSynced ? undefined : continueUnpaired} />
  );
  return (
    <main class="pair" id="content">
      {isAsking && (
        <JoinQuestion
          account={account}
          kind={kind}
          isJoining={isBusy}
          onJoin={join}
          onCancel={() => setAccount(undefined)}
        />
      )}
      <img class="pair-logo" src="/icons/icon.svg" alt="" width="64" height="64" hidden={isAsking} />
      <div class="stack" hidden={isAsking}>
        <h1>{pairTexts.title[kind]}</h1>
        <p class="soft">{pairTexts.text[kind]}</p>
        {nameBefore !== null && wasSynced && face !== 'watch' && <p class="soft">{pairTexts.kept}</p>}
      </div>
      {unsentWork}
      <PairForm
        code={code}
        onCode={setCode}
        name={name}
        onName={setName}
        problem={problem}
        isBusy={isBusy}
        home={nameBefore !== null && wasSynced ? home : undefined}
        isHidden={isAsking}
        onSubmit={askAccount}
      />
    </main>
  );
}

/**
 * Calls `onCode` with the code when a person opens a pairing link on this screen, or with undefined for a broken link.
 */
function useNewPairingLink(onCode: (code: string | undefined) => void): void {
  useEffect(() => {
    const takeLinkedCode = () => {
      const newCode = takeCodeFromAddress();
      if (newCode !== '') onCode(newCode);
    };
    addEventListener('hashchange', takeLinkedCode);
    return () => removeEventListener('hashchange', takeLinkedCode);
  }, []);
}

interface AttemptOptions {
  onStart(): void;
  onFailure(error: unknown): void;
}

/** Runs one request to the server at a time. Ignores a new request while one runs. */
function useAttempt({ onStart, onFailure }: AttemptOptions) {
  const [isBusy, setBusy] = useState(false);
  const attempt = async (work: () => Promise<void>) => {
    if (isBusy) return;
    onStart();
    setBusy(true);
    try {
      await work();
    } catch (error) {
      onFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, attempt };
}

interface PairFormProps {
  code: string;
  onCode(code: string): void;
  name: string;
  onName(name: string): void;
  problem: FormProblem | undefined;
  isBusy: boolean;
  /**
   * The path that "Not now" opens. Undefined, so that the form has no "Not now", if the device was never paired or
   * never synced.
   */
  home: string | undefined;
  isHidden: boolean;
  onSubmit(event: Event): void;
}

/** The form stays in the page while it is hidden. An update of the app waits while a field of a form has text. */
function PairForm({ code, onCode, name, onName, problem, isBusy, home, isHidden, onSubmit }: PairFormProps) {
  return (
    <form class="stack" onSubmit={onSubmit} noValidate hidden={isHidden}>
      <Field
        label={pairTexts.code}
        value={code}
        onValue={onCode}
        hint={pairTexts.codeHint}
        error={problem?.field === 'code' ? problem.text : undefined}
        class="pair-code"
        placeholder="XXXX-XXXX"
        autocomplete="one-time-code"
        autocapitalize="characters"
        spellcheck={false}
        maxLength={32}
      />
      <Field
        label={pairTexts.name}
        value={name}
        onValue={onName}
        hint={pairTexts.nameHint}
        error={problem?.field === 'name' ? problem.text : undefined}
        autocomplete="off"
        maxLength={200}
      />
      <Button type="submit" look="primary" wide aria-busy={isBusy}>
        {isBusy ? pairTexts.asking : pairTexts.submit}
      </Button>
      {home !== undefined && (
        <Link href={home} class="button button-quiet">
          {pairTexts.notNow}
        </Link>
      )}
    </form>
  );
}

/**
 * Returns the pairing code after the `#` and removes it from the address. Returns '' if there is no code, undefined if
 * the percent-encoding is invalid.
 */
function takeCodeFromAddress(): string | undefined {
  const { hash, pathname } = location;
  if (hash.length > 1) history.replaceState(null, '', pathname);
  return decodePercent(hash.slice(1));
}
