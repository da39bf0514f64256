/** `npm run package [FOLDER]` builds the package `gemba` into `package`, from where `npm pack` and `npm publish` take it. */
import { resolve } from 'node:path';
import { makePackage } from './make-package.ts';

const [folder = 'package'] = process.argv.slice(2);
await makePackage(resolve(folder));
