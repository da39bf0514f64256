/** The place of the photos in a bucket. The URL of an object is `{origin}/{bucket}/{prefix}{name}`. */
export interface BucketLocation {
  origin: string;
  bucket: string;
  /** Empty, or ends with `/`. */
  prefix: string;
}

export interface BucketSettings {
  location: BucketLocation;
  region: string;
  key: string;
  secret: string;
}

/** Allows only characters that a signature need not encode, since services disagree on how to encode the others. */
const locationPattern = /^https?:\/\/[\w.[\]:-]+(?:\/\w[\w.-]*)+\/?$/;

/** Reads a path-style URL, such as `https://s3.example/bucket/folder`. Returns undefined if it names no bucket. */
export function parseBucketUrl(text: string): BucketLocation | undefined {
  if (!locationPattern.test(text) || !URL.canParse(text)) return undefined;
  const { origin, pathname } = new URL(text);
  const [bucket, ...folders] = pathname.split('/').filter((part) => part !== '');
  return bucket === undefined ? undefined : { origin, bucket, prefix: folders.map((folder) => `${folder}/`).join('') };
}
