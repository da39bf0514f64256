import { expect, test } from 'vitest';
import { isReturnUrl } from './return-url.ts';

const origins = ['https://gemba.example', 'http://localhost:5173'];

test.each([
  'https://gemba.example',
  'https://gemba.example/',
  'https://gemba.example/paid?session={CHECKOUT_SESSION_ID}#done',
  'http://localhost:5173/plans',
])('[BILL-9] %s is of an allowed origin', (url) => {
  expect(isReturnUrl(url, origins)).toBe(true);
});

test.each([
  'https://gemba.example.evil.example',
  'https://gemba.example@evil.example',
  'https://user@gemba.example/',
  'https://gemba.example:8443/',
  'http://gemba.example/',
  'https:gemba.example',
  'HTTPS://gemba.example/',
  'https://gemba.example\\@evil.example',
  'https://gemba.example/\n',
  '//gemba.example/',
  'data:text/html,x',
  '',
])('[BILL-9] %j is refused', (url) => {
  expect(isReturnUrl(url, origins)).toBe(false);
});
