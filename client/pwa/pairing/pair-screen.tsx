/**
 * Pairing: a link `/pair#CODE`, or a code that is typed. The code stands behind the `#`, which no browser sends to a
 * server, and goes from the address as soon as it was read.
 */
import { useContext, useEffect, useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { Field } from '../components/field.tsx';
import { toast } from '../components/toast.tsx';
import { FaceContext, kindOf, useGemba } from '../engine.tsx';
import { Link, navigate } from '../router.tsx';
import { texts } from '../texts.ts';
import { deviceNameOf } from './device-name.ts';
import { pairedAs, rememberPaired } from './paired.ts';
import { troubleOf } from './trouble.ts';

const { problems, ...said } = texts.pair;

export function PairScreen({ onPaired }: { onPaired(): void }) {
  const gemba = useGemba();
  const face = useContext(FaceContext);
  const kind = kindOf(face);
  const home = face === 'watch' ? '/watch' : '/';
  const before = pairedAs(face);
  const [code, setCode] = useState(takeCodeOfLink);
  const [name, setName] = useState(() => before ?? deviceNameOf(face, navigator.userAgent));
  const [problem, setProblem] = useState<{ of: 'code' | 'name'; text: string }>();
  const [isPairing, setPairing] = useState(false);

  // A link that is followed while the screen is open.
  useEffect(() => {
    const take = () => setCode((typed) => takeCodeOfLink() || typed);
    addEventListener('hashchange', take);
    return () => removeEventListener('hashchange', take);
  }, []);

  // On a watch it lies above, out of sight of whoever pressed the button.
  useEffect(() => document.querySelector('.field:has([aria-invalid])')?.scrollIntoView({ block: 'center' }), [problem]);

  const pair = async (event: Event) => {
    event.preventDefault();
    if (isPairing) return;
    if (code.trim() === '') return setProblem({ of: 'code', text: problems.empty });
    if (name.trim() === '') return setProblem({ of: 'name', text: problems.unnamed });
    setProblem(undefined);
    setPairing(true);
    try {
      await gemba.pair(code.trim(), name.trim());
    } catch (error) {
      setPairing(false);
      return setProblem({ of: 'code', text: troubleOf(error) });
    }
    rememberPaired(face, name.trim());
    toast({ text: said.done });
    navigate(home, { replace: true });
    onPaired();
  };

  return (
    <main class="pair" id="content">
      <img class="pair-logo" src="/icons/icon.svg" alt="" width="64" height="64" />
      <div class="stack">
        <h1>{said.title[kind]}</h1>
        <p class="soft">{said.text[kind]}</p>
        {before !== null && face === 'phone' && <p class="soft">{said.kept}</p>}
      </div>
      <form class="stack" onSubmit={pair} noValidate>
        <Field
          label={said.code}
          value={code}
          onValue={setCode}
          hint={said.codeHint}
          error={problem?.of === 'code' ? problem.text : undefined}
          class="pair-code"
          placeholder="XXXX-XXXX"
          autocomplete="one-time-code"
          autocapitalize="characters"
          spellcheck={false}
          maxLength={32}
        />
        <Field
          label={said.name}
          value={name}
          onValue={setName}
          hint={said.nameHint}
          error={problem?.of === 'name' ? problem.text : undefined}
          autocomplete="off"
          maxLength={200}
        />
        <Button type="submit" look="primary" wide aria-busy={isPairing}>
          {isPairing ? said.pairing : said.submit}
        </Button>
        {before !== null && (
          <Link href={home} class="button button-quiet">
            {said.notNow}
          </Link>
        )}
      </form>
    </main>
  );
}

function takeCodeOfLink(): string {
  const code = decodeURIComponent(location.hash.slice(1));
  if (code) history.replaceState(null, '', location.pathname);
  return code;
}
