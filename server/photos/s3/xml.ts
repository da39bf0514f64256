/** Reads the elements that the server needs from the XML of an S3 service. */

export interface ListPage {
  keys: string[];
  /** The token with which the next page is requested. undefined on the last page. */
  continuation: string | undefined;
}

/** Reads the response to ListObjectsV2. Returns undefined if the text is no such response. */
export function parseListPage(text: string): ListPage | undefined {
  if (!/<ListBucketResult[\s>]/.test(text)) return undefined;
  const keys = [...text.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => unescapeText(key));
  const isTruncated = elementOf(text, 'IsTruncated') === 'true';
  return { keys, continuation: isTruncated ? elementOf(text, 'NextContinuationToken') : undefined };
}

/**
 * Returns the code of an error, or an empty text. A code is one word, so that no other part of the response gets into
 * the log.
 */
export function errorCodeOf(text: string): string {
  return /<Error>[\s\S]*?<Code>([A-Za-z]{1,64})<\/Code>/.exec(text)?.[1] ?? '';
}

const elementOf = (text: string, name: string): string | undefined => {
  const content = new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1];
  return content === undefined ? undefined : unescapeText(content);
};

const xmlEntities: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

function unescapeText(text: string): string {
  return text.replace(/&(?:(lt|gt|quot|apos|amp)|#(\d{1,7})|#x([0-9a-fA-F]{1,6}));/g, (_whole, name, decimal, hex) =>
    name === undefined ? String.fromCodePoint(parseInt(hex ?? decimal, hex ? 16 : 10)) : (xmlEntities[name] ?? ''),
  );
}
