/** Writes elements of SVG. Texts and the values of attributes are escaped here and nowhere else. */
import { xmlTexts } from '../export/xml-text.ts';

type Attributes = Record<string, string | number>;

/** `children` are elements already. */
export function tag(name: string, attributes: Attributes, children = ''): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(valueText(value))}"`);
  const head = `<${name}${written.join('')}`;
  return children === '' ? `${head}/>` : `${head}>${children}</${name}>`;
}

export const textTag = (name: string, attributes: Attributes, text: string): string =>
  tag(name, attributes, escapeXml(text));

/** Drops what XML has no form for. */
const escapeXml = (text: string): string => xmlTexts().attribute(text);

/** A hundredth of a pixel is not seen, and more digits would only make the file longer. */
const valueText = (value: string | number): string =>
  typeof value === 'string' ? value : String(Math.round(value * 100) / 100);
