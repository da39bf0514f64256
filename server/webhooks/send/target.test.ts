import { expect, test } from 'vitest';
import { isRefusedAddress, parseAllowedTargets, targetFlaw } from './target.ts';

const none = parseAllowedTargets('')!;

test.each([
  'https://127.0.0.1/x',
  'https://0x7f.1/',
  'https://2130706433/',
  'https://10.1.2.3:8443/',
  'https://169.254.169.254/latest/meta-data',
  'https://100.64.0.1/',
  'https://[::1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://[fe80::1]/',
  'https://[fd00::1]/',
  'https://[64:ff9b::a00:1]/',
  'https://224.0.0.1/',
  'https://0.0.0.0/',
  'https://[::127.0.0.1]/',
  'https://[::ffff:0:127.0.0.1]/',
  'https://[3fff::1]/',
  'https://[5f00::1]/',
  'https://[fe00::1]/',
])('[HOOK-9] %s is refused for its address', (url) => {
  expect(targetFlaw(url, none)).toBe('names an address that is not public');
});

test('[HOOK-9] only https without credentials is allowed, unless the operator allows http or a range', () => {
  expect(targetFlaw('https://hooks.example.com/gemba?x=1', none)).toBeUndefined();
  expect(targetFlaw('https://8.8.8.8/', none)).toBeUndefined();
  expect(targetFlaw('https://[2606:4700::1111]/', none)).toBeUndefined();
  expect(targetFlaw('https://[::ffff:8.8.8.8]/', none)).toBeUndefined();
  expect(targetFlaw('http://hooks.example.com/', none)).toBe('must begin with https:');
  expect(targetFlaw('ftp://hooks.example.com/', none)).toBe('must begin with https:');
  expect(targetFlaw('https://me:secret@hooks.example.com/', none)).toBe('must have no user name and no password');
  expect(targetFlaw('hooks.example.com', none)).toBe('is not a URL');
  const own = parseAllowedTargets('10.0.0.0/8, http')!;
  expect(targetFlaw('http://10.9.8.7:3000/', own)).toBeUndefined();
  expect(targetFlaw('http://192.168.0.1/', own)).toBe('names an address that is not public');
  expect(isRefusedAddress('::ffff:10.0.0.1', own)).toBe(false);
});

test.each(['10.0.0.0', '10.0.0.0/33', 'https', '10.0.0.0/8;http', '::1/129', '10.0.0.0/8/8'])(
  '[HOOK-9] %s is no setting of what is allowed',
  (text) => expect(parseAllowedTargets(text)).toBeUndefined(),
);
