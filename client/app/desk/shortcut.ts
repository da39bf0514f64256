/** The commands of the desk that a key can start. */
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

/** The shortcuts of keys without Ctrl. These keys start no shortcut while a person types. */
const shortcutByKey: Readonly<Record<string, Shortcut>> = {
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
const shortcutByCtrlKey: Readonly<Record<string, Shortcut>> = { k: 'search', p: 'print' };

type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;

export function shortcutOf(
  { key, ctrlKey, metaKey, altKey }: KeyPress,
  { isTyping, hasSingleKeys }: { isTyping: boolean; hasSingleKeys: boolean },
): Shortcut | undefined {
  if (altKey) return undefined;
  const name = key.toLowerCase();
  if (ctrlKey || metaKey) return shortcutByCtrlKey[name];
  if (key === 'Escape') return 'close';
  return isTyping || !hasSingleKeys ? undefined : shortcutByKey[name];
}
