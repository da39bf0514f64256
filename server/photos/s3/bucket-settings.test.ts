import { expect, test } from 'vitest';
import { photoBucketOf, readEnvironment } from '../../environment.ts';
import { parseBucketUrl } from './bucket-settings.ts';

const right = { GEMBA_S3_URL: 'https://s3.example/photos', GEMBA_S3_KEY: 'AKID', GEMBA_S3_SECRET: 'a/secret+=' };
const problemsOf = (environment: Record<string, string>) => {
  const result = readEnvironment(environment);
  return result.ok ? [] : result.problems;
};

test('[PHOTO-61] the URL of a bucket has the bucket first, then the folder in it', () => {
  const at = (bucket: string, prefix: string) => ({ origin: 'https://s3.example', bucket, prefix });
  expect(parseBucketUrl('https://s3.example/photos')).toEqual(at('photos', ''));
  expect(parseBucketUrl('https://s3.example/photos/')).toEqual(at('photos', ''));
  expect(parseBucketUrl('https://s3.example/photos/gemba/live')).toEqual(at('photos', 'gemba/live/'));
  expect(parseBucketUrl('http://[::1]:9000/a.b')).toMatchObject({ origin: 'http://[::1]:9000', bucket: 'a.b' });
});

test('[PHOTO-61] a URL without a bucket, with a password, a query or what a signature would encode is refused', () => {
  const paths = ['', '/', '//', '/a//b', '/a/..', '/a/../b', '/.', '/a b', '/a+b', '/a%20b', '/a?x', '/a#x', '/ä'];
  const urls = [...paths.map((path) => `https://s3.example${path}`), 's3://photos', 'https://key:secret@s3.example/a'];
  for (const url of urls) expect([url, parseBucketUrl(url)]).toEqual([url, undefined]);
});

test('[PHOTO-61] settings of a bucket that are set by half keep the server from starting, and no value is repeated', () => {
  expect(problemsOf(right)).toEqual([]);
  const names = Object.keys(right);
  for (const name of names) {
    const together = `${names.join(', ')} must be set together; unset: ${name}`;
    expect(problemsOf({ ...right, [name]: ' ' })).toEqual([together]);
  }
  const wrong = { GEMBA_S3_URL: 'https://key:secret@s3.example/a', GEMBA_S3_KEY: 'a key', GEMBA_S3_SECRET: 'a secret' };
  const problems = problemsOf({ ...wrong, GEMBA_S3_REGION: 'no region' });
  expect(problems.map((problem) => problem.split(' must be ')[0])).toEqual([...names, 'GEMBA_S3_REGION']);
  for (const value of Object.values(wrong)) expect(problems.join('\n')).not.toContain(value);
});

test('[PHOTO-61] the region is us-east-1 unless another is set', () => {
  const regionOf = (environment: Record<string, string>) => {
    const result = readEnvironment(environment);
    return result.ok && photoBucketOf(result.settings)?.region;
  };
  expect(regionOf(right)).toBe('us-east-1');
  expect(regionOf({ ...right, GEMBA_S3_REGION: 'eu-central-1' })).toBe('eu-central-1');
  expect(regionOf({ GEMBA_S3_REGION: 'eu-central-1' })).toBeUndefined();
});
