import { expect, test } from 'vitest';
import { prefersPacked } from './packed-reply.ts';

const packed = 'application/vnd.gemba.packed+json;v=2';

test('[PACKED-1] only a client that names the packed form gets it, unless it likes JSON better', () => {
  const accepted = [packed, `${packed}, application/json`, `text/html, ${packed}; q=0.5, */*;q=0.1`];
  for (const accept of [...accepted, 'Application/Vnd.Gemba.Packed+JSON; V=2'])
    expect(prefersPacked(accept)).toBe(true);
  const refused = [
    '',
    '*/*',
    'application/*',
    'application/json',
    packed.replace('2', '1'),
    packed.replace(';v=2', ''),
  ];
  const liked = [`${packed};q=0`, `${packed};q=x`, `${packed};q=0.5, application/json`];
  for (const accept of [undefined, ...refused, ...liked]) expect(prefersPacked(accept)).toBe(false);
});
