import { Dialog } from '../ui/dialog.tsx';
import { deskTexts } from '../text/desk.ts';

/** Apple keyboards have ⌘ in place of Ctrl. */
const isApple = /Mac|iPad/.test(navigator.platform);

function listShortcutRows(keyTexts: typeof deskTexts.keys): [keys: string[], what: string][] {
  const modifier = isApple ? '⌘' : keyTexts.ctrl;
  return [
    [['J'], keyTexts.next],
    [['K'], keyTexts.previous],
    [[keyTexts.enter], keyTexts.open],
    [['X'], keyTexts.mark],
    [['A'], keyTexts.markAll],
    [['C'], keyTexts.compare],
    [['R'], keyTexts.record],
    [['/', `${modifier} K`], keyTexts.search],
    [['1', '2', '3'], keyTexts.pane],
    [['←', '→'], keyTexts.figures],
    [['W'], keyTexts.widen],
    [[`${modifier} P`], keyTexts.print],
    [[keyTexts.escape], keyTexts.close],
    [['?'], keyTexts.help],
  ];
}

interface KeysDialogProps {
  open: boolean;
  hasSingleKeys: boolean;
  onSingleKeys(has: boolean): void;
  onClose(): void;
}

export function KeysDialog({ open, hasSingleKeys, onSingleKeys, onClose }: KeysDialogProps) {
  const keyTexts = deskTexts.keys;
  return (
    <Dialog open={open} title={keyTexts.title} onClose={onClose}>
      <dl class="keys">
        {listShortcutRows(keyTexts).map(([keys, what]) => (
          <div key={what}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <label class="keys-single">
        <input
          type="checkbox"
          checked={hasSingleKeys}
          onChange={({ currentTarget }) => onSingleKeys(currentTarget.checked)}
        />
        <span>
          {keyTexts.single}
          <span class="soft small">{keyTexts.singleHint}</span>
        </span>
      </label>
    </Dialog>
  );
}
