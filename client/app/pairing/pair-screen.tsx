/**
 * Pairs by a link `/pair#CODE` or by a typed code. No browser sends the part behind the `#` to a server, and the screen
 * removes it from the address as soon as it has read it.
 *
 *   form ── Pair: which account? ──► question ── Join ──► paired
 *    ▲ ▲                                │ │
 *    │ └──────────── Cancel ────────────┘ │
 *    └──────────── failure ───────────────┘
 */
import { useContext, useEffect, useState } from 'preact/hooks';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { toast } from '../ui/toast.tsx';
import { FaceContext, kindOf, useGemba } from '../shell/engine.tsx';
import { decoded, Link, navigate } from '../shell/router.tsx';
import { texts } from '../text/texts.ts';
import { suggestedDeviceName } from './device-name.ts';
import { JoinQuestion } from './join-question.tsx';
import { failureText } from './failure-text.ts';
import { pairedDeviceName, rememberPairedName } from './paired-name.ts';

const { problems, ...pairTexts } = texts.pair;

interface Problem {
  of: 'code' | 'name';
  text: string;
}

const brokenLink: Problem = { of: 'code', text: problems.broken };

export function PairScreen({ onPaired }: { onPaired(): void }) {
  const gemba = useGemba();
  const face = useContext(FaceContext);
  const kind = kindOf(face);
  const home = face === 'watch' ? '/watch' : '/';
  const nameBefore = pairedDeviceName(face);
  const [linked] = useState(takeCodeOfLink);
  const [code, setCode] = useState(linked ?? '');
  const [name, setName] = useState(() => nameBefore ?? suggestedDeviceName(face, navigator.userAgent));
  const [problem, setProblem] = useState<Problem | undefined>(linked === undefined ? brokenLink : undefined);
  const [account, setAccount] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  // Takes the code again when a person follows another pairing link while this screen is open.
  useEffect(() => {
    const take = () => {
      const taken = takeCodeOfLink();
      if (taken === '') return;
      setAccount(undefined);
      setProblem(taken === undefined ? brokenLink : undefined);
      if (taken !== undefined) setCode(taken);
    };
    addEventListener('hashchange', take);
    return () => removeEventListener('hashchange', take);
  }, []);

  // Scrolls to the invalid field: on a watch the field lies above the submit button, out of sight.
  useEffect(() => document.querySelector('.field:has([aria-invalid])')?.scrollIntoView({ block: 'center' }), [problem]);

  /** Runs a request. A failure closes the question, and the form shows the failure. */
  const attempt = async (work: () => Promise<void>) => {
    if (isBusy) return;
    setProblem(undefined);
    setBusy(true);
    try {
      await work();
    } catch (error) {
      setAccount(undefined);
      setProblem({ of: 'code', text: failureText(error) });
    } finally {
      setBusy(false);
    }
  };
  const askAccount = (event: Event) => {
    event.preventDefault();
    if (code.trim() === '') return setProblem({ of: 'code', text: problems.empty });
    if (name.trim() === '') return setProblem({ of: 'name', text: problems.unnamed });
    return attempt(async () => setAccount((await gemba.pairingAccount(code.trim())).name));
  };
  const join = () =>
    attempt(async () => {
      await gemba.pair(code.trim(), name.trim());
      rememberPairedName(face, name.trim());
      toast({ text: pairTexts.done });
      navigate(home, { replace: true });
      onPaired();
    });

  const isAsking = account !== undefined;
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
        {nameBefore !== null && face === 'phone' && <p class="soft">{pairTexts.kept}</p>}
      </div>
      {/* The form stays in the page while it is hidden, so that its text still delays an update of the app. */}
      <form class="stack" onSubmit={askAccount} noValidate hidden={isAsking}>
        <Field
          label={pairTexts.code}
          value={code}
          onValue={setCode}
          hint={pairTexts.codeHint}
          error={problem?.of === 'code' ? problem.text : undefined}
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
          onValue={setName}
          hint={pairTexts.nameHint}
          error={problem?.of === 'name' ? problem.text : undefined}
          autocomplete="off"
          maxLength={200}
        />
        <Button type="submit" look="primary" wide aria-busy={isBusy}>
          {isBusy ? pairTexts.asking : pairTexts.submit}
        </Button>
        {nameBefore !== null && (
          <Link href={home} class="button button-quiet">
            {pairTexts.notNow}
          </Link>
        )}
      </form>
    </main>
  );
}

/** Removes the code from the address and returns it; '' without a code, undefined for invalid percent-encoding. */
function takeCodeOfLink(): string | undefined {
  const { hash, pathname } = location;
  if (hash.length > 1) history.replaceState(null, '', pathname);
  return decoded(hash.slice(1));
}
