/** The forms of bodies other than JSON as it is. Loaded with the first pull or large push. */
import { BodyCompression } from './compress-body.ts';
import { PackedPages } from './packed-pages.ts';

export class BodyForms {
  readonly compression = new BodyCompression();
  readonly packedPages = new PackedPages();
}
