import { useContext, useState } from 'preact/hooks';
import { databaseNameOf, FaceContext } from '../../shell/engine.tsx';
import { chooseRunsKept, readRunsKept, appliedRunsKept, type RunsKept } from '../../shell/runs-kept.ts';
import { syncTexts } from '../../text/phone-on-demand.ts';
import { Button } from '../../ui/button.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { showToast } from '../../ui/toast.tsx';

export function RunsKeptSetting() {
  const database = databaseNameOf(useContext(FaceContext));
  const [chosen, setChosen] = useState(() => readRunsKept(database));
  const choose = (wanted: RunsKept) => {
    if (chooseRunsKept(database, wanted)) setChosen(wanted);
    else showToast({ text: syncTexts.runsKeptNotStored });
  };
  return (
    <section class="card stack">
      <RadioGroup label={syncTexts.runsKept} options={syncTexts.runsKeptChoices} value={chosen} onValue={choose} />
      <p class="soft">{syncTexts.runsKeptWhy}</p>
      {chosen !== appliedRunsKept() && (
        <Button icon="sync" wide onClick={() => location.reload()}>
          {syncTexts.reopen}
        </Button>
      )}
    </section>
  );
}
