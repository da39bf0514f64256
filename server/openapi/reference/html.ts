/** Builds HTML. The template tag `html` escapes inserted texts, and leaves inserted `Markup` as it is. */

export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type TemplateValue = Markup | string | number | undefined | TemplateValue[];

export function html(strings: TemplateStringsArray, ...parts: TemplateValue[]): Markup {
  return new Markup(strings.map((text, index) => text + textOf(parts[index])).join(''));
}

function textOf(part: TemplateValue): string {
  if (part === undefined) return '';
  if (part instanceof Markup) return part.text;
  return Array.isArray(part) ? part.map(textOf).join('') : escapeHtml(String(part));
}

/** Converts the inline Markdown of our descriptions: `code` and **bold**. */
export function inlineMarkdown(text: string): Markup {
  const marked = escapeHtml(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>');
  return new Markup(marked);
}

const htmlEntities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => htmlEntities[character]!);
