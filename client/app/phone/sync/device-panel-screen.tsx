/** Shows what this device is doing, for a person who helps with a problem. The code of the panel loads on demand. */
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { storeDevtoolsChoice, hasDevtools } from '../../shell/devtools/devtools-setting.ts';
import { databaseNameOf, FaceContext } from '../../shell/engine.tsx';
import { syncTexts } from '../../text/phone-on-demand.ts';
import { Screen } from '../../ui/screen.tsx';
import { showToast } from '../../ui/toast.tsx';
import { RowLink } from './row-link.tsx';

const loadPanel = () => import('../devtools/device-panel.ts');

export function DevicePanelScreen() {
  const database = databaseNameOf(useContext(FaceContext));
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let unmount = () => {};
    let isShown = true;
    const failed = () => showToast({ text: syncTexts.devtoolsNotLoaded });
    loadPanel().then(({ mountPanel }) => {
      if (isShown && place.current) unmount = mountPanel(place.current, database);
    }, failed);
    return () => {
      isShown = false;
      unmount();
    };
  }, [database]);
  return (
    <Screen title={syncTexts.devtools} back="/sync">
      <div ref={place} />
    </Screen>
  );
}

/** The switch that shows the link to the panel. */
export function DevtoolsSetting() {
  const [isOn, setOn] = useState(hasDevtools);
  const choose = (wanted: boolean) => {
    if (!storeDevtoolsChoice(wanted)) return showToast({ text: syncTexts.runsKeptNotStored });
    setOn(wanted);
    // Ignores a failure to load the code: without this code no trace is under way.
    if (!wanted)
      loadPanel().then(
        ({ endTrace }) => endTrace(),
        () => undefined,
      );
  };
  // The link stands inside the card, since below the card the navigation would cover it.
  return (
    <section class="card stack">
      <label class="sync-setting">
        <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => choose(currentTarget.checked)} />
        {syncTexts.devtoolsSetting}
      </label>
      {isOn && (
        <div class="list sync-links">
          <RowLink href="/sync/device">{syncTexts.devtools}</RowLink>
        </div>
      )}
      <p class="soft">{syncTexts.devtoolsWhy}</p>
    </section>
  );
}
