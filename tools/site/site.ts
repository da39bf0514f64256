/** `npm run site [FOLDER]`: replaces `site` by the site of the documents, which the server has at `/docs/guide/`. */
import { resolve } from 'node:path';
import { buildSite } from './build-site.ts';

const [folder = 'site'] = process.argv.slice(2);
const { pages, bytes } = await buildSite(resolve(folder));
console.log(`${pages} pages, ${Math.round(bytes / 1_000)} kB, in ${folder}`);
