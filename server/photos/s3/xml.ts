/** Reads the few elements that the answers of an S3 service are asked for. */

export interface ListPage {
  keys: string[];
  /** Asks for the next page; undefined on the last one. */
  continuation: string | undefined;
}

/** Reads the answer to ListObjectsV2. Returns undefined if the text is none. */
export function parseListPage(text: string): ListPage | undefined {
  if (!/<ListBucketResult[\s>]/.test(text)) return undefined;
  const keys = [...text.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => unescapeText(key));
  const isTruncated = elementOf(text, 'IsTruncated') === 'true';
  return { keys, continuation: isTruncated ? elementOf(text, 'NextContinuationToken') : undefined };
}

/** Returns the code of an error, or an empty text. A code is one word, so that nothing else of an answer gets into the log. */
export function errorCodeOf(text: string): string {
  return /<Error>[\s\S]*?<Code>([A-Za-z]{1,64})<\/Code>/.exec(text)?.[1] ?? '';
}

const elementOf = (text: string, name: string): string | undefined => {
  const content = new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1];
  return content === undefined ? undefined : unescapeText(content);
};

const characters: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

function unescapeText(text: string): string {
  return text.replace(/&(?:(lt|gt|quot|apos|amp)|#(\d{1,7})|#x([0-9a-fA-F]{1,6}));/g, (_whole, name, decimal, hex) =>
    name === undefined ? String.fromCodePoint(parseInt(hex ?? decimal, hex ? 16 : 10)) : (characters[name] ?? ''),
  );
}
