import { useContext, useState } from 'preact/hooks';
import { databaseNameOf, FaceContext } from '../../shell/engine.tsx';
import { chooseRunsKept, runsKept, type RunsKept } from '../../shell/runs-kept.ts';
import { syncTexts } from '../../text/phone-on-demand.ts';
import { Button } from '../../ui/button.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { showToast } from '../../ui/toast.tsx';

/** Keeps the choice as the page opened, since the engine takes another one only when it opens again. */
let appliedChoice: RunsKept | undefined;

export function RunsKeptSetting() {
  const face = useContext(FaceContext);
  const database = databaseNameOf(face);
  const [chosen, setChosen] = useState(() => runsKept(database, face === 'desk'));
  appliedChoice ??= chosen;
  const choose = (wanted: RunsKept) => {
    if (chooseRunsKept(database, wanted)) setChosen(wanted);
    else showToast({ text: syncTexts.runsKeptNotStored });
  };
  return (
    <section class="card stack">
      <RadioGroup label={syncTexts.runsKept} options={syncTexts.runsKeptChoices} value={chosen} onValue={choose} />
      <p class="soft">{syncTexts.runsKeptWhy}</p>
      {chosen !== appliedChoice && (
        <Button icon="sync" wide onClick={() => location.reload()}>
          {syncTexts.reopen}
        </Button>
      )}
    </section>
  );
}
