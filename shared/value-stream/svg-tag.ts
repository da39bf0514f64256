/** Writes elements of SVG. Texts and the values of attributes are escaped here and nowhere else. */
import { createXmlEscaper } from '../export/xml-text.ts';

type Attributes = Record<string, string | number>;

/** Writes an element. `children` are elements that are written already. */
export function tag(name: string, attributes: Attributes, children = ''): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(attributeText(value))}"`);
  const head = `<${name}${written.join('')}`;
  return children === '' ? `${head}/>` : `${head}>${children}</${name}>`;
}

export const textTag = (name: string, attributes: Attributes, text: string): string =>
  tag(name, attributes, escapeXml(text));

/** Escapes the text, and drops characters that XML cannot express. */
const escapeXml = (text: string): string => createXmlEscaper().attribute(text);

/** Rounds to a hundredth of a pixel, since more digits would make the file longer without being seen. */
const attributeText = (value: string | number): string =>
  typeof value === 'string' ? value : String(Math.round(value * 100) / 100);
