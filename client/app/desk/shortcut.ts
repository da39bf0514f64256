/** Finds the shortcut of a key press. */
export type Shortcut =
  | 'next'
  | 'previous'
  | 'mark'
  | 'mark-all'
  | 'compare'
  | 'record'
  | 'search'
  | 'widen'
  | 'help'
  | 'print'
  | 'close'
  | 'pane-1'
  | 'pane-2'
  | 'pane-3';

/** The shortcuts of one key without Ctrl. They do nothing while a person types. */
const singleKeys: Readonly<Record<string, Shortcut>> = {
  j: 'next',
  k: 'previous',
  x: 'mark',
  a: 'mark-all',
  c: 'compare',
  r: 'record',
  '/': 'search',
  w: 'widen',
  '?': 'help',
  '1': 'pane-1',
  '2': 'pane-2',
  '3': 'pane-3',
};
const keysWithCtrl: Readonly<Record<string, Shortcut>> = { k: 'search', p: 'print' };

type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;

export function shortcutOf(
  { key, ctrlKey, metaKey, altKey }: KeyPress,
  { isTyping, hasSingleKeys }: { isTyping: boolean; hasSingleKeys: boolean },
): Shortcut | undefined {
  if (altKey) return undefined;
  const name = key.toLowerCase();
  if (ctrlKey || metaKey) return keysWithCtrl[name];
  if (key === 'Escape') return 'close';
  return isTyping || !hasSingleKeys ? undefined : singleKeys[name];
}
