/** Creates DOM elements. Texts become text nodes, never markup. */

export type Child = Node | string | null | false;

export const isShown = (child: Child): child is Node | string => child !== null && child !== false;

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children.filter(isShown));
  return made;
}

/** Creates a list of names and values. A null value is left out. */
export const definitionList = (values: [name: string, value: Child | undefined][]): HTMLElement =>
  element(
    'dl',
    {},
    ...values.flatMap(([name, value]) =>
      value !== undefined && isShown(value)
        ? [element('div', {}, element('dt', {}, name), element('dd', {}, value))]
        : [],
    ),
  );

export const button = (label: string, onClick: () => void): HTMLButtonElement => {
  const made = element('button', { type: 'button' }, label);
  made.addEventListener('click', onClick);
  return made;
};

export function checkbox(label: string, isOn: boolean, onChange: (isOn: boolean) => void): HTMLLabelElement {
  const input = element('input', { type: 'checkbox' });
  input.checked = isOn;
  input.addEventListener('change', () => onChange(input.checked));
  return element('label', { class: 'check' }, input, element('span', {}, label));
}

interface JsonBlockOptions {
  label: string;
  /** Identifies the block, so that `replaceContent` can give the focus to the redrawn block. */
  key: string;
}

/** Shows a value as JSON in a block that can be scrolled by keyboard, too. */
export const jsonBlock = ({ label, key }: JsonBlockOptions, value: unknown): HTMLElement =>
  element(
    'pre',
    { tabindex: '0', role: 'group', 'aria-label': label, 'data-key': `${key} json` },
    JSON.stringify(value, null, 2) ?? '',
  );
