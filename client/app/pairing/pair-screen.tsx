/**
 * Pairing: a link `/pair#CODE`, or a code that is typed. The code stands behind the `#`, which no browser sends to a
 * server, and goes from the address as soon as it was read.
 *
 *   form ── Pair: whose account? ──► question ── Join ──► paired
 *    ▲ ▲                                │ │
 *    │ └──────────── Cancel ────────────┘ │
 *    └──────────── with what is wrong ────┘
 */
import { useContext, useEffect, useState } from 'preact/hooks';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { toast } from '../ui/toast.tsx';
import { FaceContext, kindOf, useGemba } from '../shell/engine.tsx';
import { decoded, Link, navigate } from '../shell/router.tsx';
import { texts } from '../text/texts.ts';
import { deviceNameOf } from './device-name.ts';
import { JoinQuestion } from './join-question.tsx';
import { pairedAs, rememberPaired } from './paired.ts';
import { troubleOf } from './trouble.ts';

const { problems, ...pairTexts } = texts.pair;

interface Problem {
  of: 'code' | 'name';
  text: string;
}

const broken: Problem = { of: 'code', text: problems.broken };

export function PairScreen({ onPaired }: { onPaired(): void }) {
  const gemba = useGemba();
  const face = useContext(FaceContext);
  const kind = kindOf(face);
  const home = face === 'watch' ? '/watch' : '/';
  const before = pairedAs(face);
  const [linked] = useState(takeCodeOfLink);
  const [code, setCode] = useState(linked ?? '');
  const [name, setName] = useState(() => before ?? deviceNameOf(face, navigator.userAgent));
  const [problem, setProblem] = useState<Problem | undefined>(linked === undefined ? broken : undefined);
  const [account, setAccount] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  // A link that is followed while the screen is open.
  useEffect(() => {
    const take = () => {
      const taken = takeCodeOfLink();
      if (taken === '') return;
      setAccount(undefined);
      setProblem(taken === undefined ? broken : undefined);
      if (taken !== undefined) setCode(taken);
    };
    addEventListener('hashchange', take);
    return () => removeEventListener('hashchange', take);
  }, []);

  // On a watch it lies above, out of sight of whoever pressed the button.
  useEffect(() => document.querySelector('.field:has([aria-invalid])')?.scrollIntoView({ block: 'center' }), [problem]);

  /** Leads back to the form with what is wrong. */
  const attempt = async (work: () => Promise<void>) => {
    if (isBusy) return;
    setProblem(undefined);
    setBusy(true);
    try {
      await work();
    } catch (error) {
      setAccount(undefined);
      setProblem({ of: 'code', text: troubleOf(error) });
    } finally {
      setBusy(false);
    }
  };
  const ask = (event: Event) => {
    event.preventDefault();
    if (code.trim() === '') return setProblem({ of: 'code', text: problems.empty });
    if (name.trim() === '') return setProblem({ of: 'name', text: problems.unnamed });
    return attempt(async () => setAccount((await gemba.pairingAccount(code.trim())).name));
  };
  const join = () =>
    attempt(async () => {
      await gemba.pair(code.trim(), name.trim());
      rememberPaired(face, name.trim());
      toast({ text: pairTexts.done });
      navigate(home, { replace: true });
      onPaired();
    });

  const isAsked = account !== undefined;
  return (
    <main class="pair" id="content">
      {isAsked && (
        <JoinQuestion
          account={account}
          kind={kind}
          isJoining={isBusy}
          onJoin={join}
          onCancel={() => setAccount(undefined)}
        />
      )}
      <img class="pair-logo" src="/icons/icon.svg" alt="" width="64" height="64" hidden={isAsked} />
      <div class="stack" hidden={isAsked}>
        <h1>{pairTexts.title[kind]}</h1>
        <p class="soft">{pairTexts.text[kind]}</p>
        {before !== null && face === 'phone' && <p class="soft">{pairTexts.kept}</p>}
      </div>
      {/* The form stays behind the question: an update of the app waits for what is typed in it. */}
      <form class="stack" onSubmit={ask} noValidate hidden={isAsked}>
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
        {before !== null && (
          <Link href={home} class="button button-quiet">
            {pairTexts.notNow}
          </Link>
        )}
      </form>
    </main>
  );
}

/** Empty where the address has none, undefined where what it has cannot be read. */
function takeCodeOfLink(): string | undefined {
  const { hash, pathname } = location;
  if (hash.length > 1) history.replaceState(null, '', pathname);
  return decoded(hash.slice(1));
}
