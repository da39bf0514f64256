/** The app on a computer: a rail, and three panes for the maps, one map, and one run or comparison. */
import '../phone/styles.css';
import './styles/desk.css';
import './styles/pane.css';
import './styles/wide.css';
import './styles/print.css';
import { useEffect, useState } from 'preact/hooks';
import { addressOf, navigate, usePath } from '../shell/router.tsx';
import { useGemba, useValue } from '../shell/engine.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { showToast } from '../ui/toast.tsx';
import { ActiveRecordingBar } from '../phone/record/active-recording-bar.tsx';
import { useStartRecording } from '../phone/maps/use-start-recording.ts';
import { useOnDemandModule } from '../phone/use-on-demand.tsx';
import { WorkTypePatterns } from '../phone/work-type-patterns.tsx';
import { deskTexts } from '../text/desk.ts';
import { HoverFigures } from './hover-figures.tsx';
import { KeysDialog } from './keys-dialog.tsx';
import { runsPerCompareMin } from './map-lists.tsx';
import { MarksContext, useMarkState } from './marks.ts';
import { Panes } from './panes.tsx';
import { placeAt } from './place.ts';
import { startOpeningDetailsForPrint, printPane } from './print.ts';
import { Rail } from './rail.tsx';
import { focusRow, toggleMark } from './row-focus.ts';
import { isTyping, useShortcuts, useSingleKeySetting } from './use-shortcuts.ts';

/**
 * Matches while the window is wide enough for three panes. 56.25em are 900 px, but more px if the browser enlarges the
 * text, since narrow panes would cut off enlarged text. Paper also matches, so that a print shows the panes.
 */
const wideWindowQuery = matchMedia('print, (min-width: 56.25em)');

export function Desk() {
  const path = usePath();
  const [isWideEnough, setWideEnough] = useState(wideWindowQuery.matches);
  useEffect(() => {
    if (!wideWindowQuery.matches) location.replace(path);
    const update = () => setWideEnough(wideWindowQuery.matches);
    wideWindowQuery.addEventListener('change', update);
    return () => wideWindowQuery.removeEventListener('change', update);
  }, []);
  return isWideEnough ? <WideDesk path={path} /> : <NarrowNotice path={path} />;
}

function NarrowNotice({ path }: { path: string }) {
  return (
    <main class="screen" id="content">
      <EmptyState isWholePage title={deskTexts.narrowTitle} text={deskTexts.narrowText}>
        <a href={path} class="button button-primary">
          {deskTexts.narrowLink}
        </a>
      </EmptyState>
    </main>
  );
}

function WideDesk({ path }: { path: string }) {
  const recording = useValue(useGemba().recording$);
  const onDemand = useOnDemandModule();
  const place = placeAt(path, recording?.map_id);
  const mapId = place.is === 'panes' ? place.mapId : undefined;
  const detail = place.is === 'panes' ? place.detail : undefined;
  const [marks, setMarks] = useMarkState(path, mapId);
  const [isDetailWide, setDetailWide] = useState(false);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [hasSingleKeys, setSingleKeys] = useSingleKeySetting();
  const { record } = useStartRecording(mapId ?? '');
  useEffect(startOpeningDetailsForPrint, []);

  const compare = (comparedId: string | undefined) => {
    const marked = comparedId === undefined ? [] : (marks[comparedId] ?? []);
    if (marked.length < runsPerCompareMin) return showToast({ text: deskTexts.tooFew });
    navigate(`/maps/${comparedId}/compare/${marked.toSorted((a, b) => a - b).join()}`);
  };
  const close = () => {
    if (isTyping()) return paneAround(document.activeElement)?.focus();
    const closeTo = detail?.closeTo ?? '/';
    if (path === '/' || path === closeTo) return undefined;
    const closedPath = detail?.path ?? path;
    navigate(closeTo);
    focusAfterClose(closedPath);
  };
  useShortcuts(
    {
      next: () => focusRow(findActivePane(), 1),
      previous: () => focusRow(findActivePane(), -1),
      mark: () => void toggleMark(),
      'mark-all': () => document.querySelector<HTMLElement>('.desk-mark-all')?.click(),
      compare: () => compare(mapId),
      record: () => {
        if (mapId === undefined && !recording) showToast({ text: deskTexts.noMap });
        else void record();
      },
      search: () => {
        if (place.is === 'page') {
          if (focusSearch('.device-filter')) return;
          navigate('/');
        }
        setDetailWide(false);
        // If the pane of the maps is hidden, the search field in it can take the focus only after the next render.
        if (!focusSearch(mapFilterSelector)) requestAnimationFrame(() => focusSearch(mapFilterSelector));
      },
      widen: () => detail && setDetailWide(!isDetailWide),
      help: () => setHelpOpen(true),
      print: () => void printPane(null),
      close,
      'pane-1': () => focusPane(1),
      'pane-2': () => focusPane(2),
      'pane-3': () => focusPane(3),
    },
    hasSingleKeys,
  );
  const markValue = {
    ofMap: (id: string) => marks[id] ?? [],
    set: (id: string, runIds: readonly number[]) => setMarks({ ...marks, [id]: runIds }),
    compare,
  };
  return (
    <div class="desk">
      {/* A chart uses the page's first definition of a pattern, which must not be inside a hidden pane. */}
      <svg class="desk-patterns" width="0" height="0" aria-hidden="true" focusable="false">
        <WorkTypePatterns />
      </svg>
      <Rail path={path} onHelp={() => setHelpOpen(true)} />
      <MarksContext.Provider value={markValue}>
        <main class={`panes${isDetailWide && detail ? ' panes-wide' : ''}`} id="content">
          <Panes
            place={place}
            path={path}
            onDemand={onDemand}
            widening={{ isWide: isDetailWide, toggle: () => setDetailWide(!isDetailWide) }}
          />
        </main>
      </MarksContext.Provider>
      {path !== '/record' && <ActiveRecordingBar />}
      <HoverFigures />
      <KeysDialog
        open={isHelpOpen}
        hasSingleKeys={hasSingleKeys}
        onSingleKeys={setSingleKeys}
        onClose={() => setHelpOpen(false)}
      />
    </div>
  );
}

const paneAround = (element: Element | null): HTMLElement | null =>
  element?.closest<HTMLElement>('[data-pane]') ?? null;

/** Returns the pane with the focus, or else the main pane. */
const findActivePane = (): HTMLElement =>
  paneAround(document.activeElement) ?? document.querySelector<HTMLElement>('.pane-main') ?? document.body;

const mapFilterSelector = '[data-pane="1"] .map-filter';

/** Focuses the search field inside the selected element. Returns false if the field cannot take the focus. */
function focusSearch(selector: string): boolean {
  const field = document.querySelector<HTMLElement>(`${selector} input`);
  field?.focus();
  return field !== null && document.activeElement === field;
}

const focusPane = (number: number): void => document.querySelector<HTMLElement>(`[data-pane="${number}"]`)?.focus();

/** Focuses the row whose link leads to the closed path, or else the heading of the main pane. */
function focusAfterClose(closedPath: string): void {
  requestAnimationFrame(() => {
    const row = document.querySelector<HTMLElement>(`.list a[href="${CSS.escape(addressOf(closedPath))}"]`);
    (row ?? document.querySelector<HTMLElement>('.pane-main h1'))?.focus();
  });
}
