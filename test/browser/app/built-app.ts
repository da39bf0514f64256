import { afterAll, beforeAll } from 'vitest';
import { assert } from '../../../shared/domain/assert.ts';
import { buildApp, type BuiltApp } from './build.ts';
import { endAppServer } from './app-server.ts';

/** Builds the app before the tests of a file. Removes it after them, and ends their server. The tests read the folder. */
export function builtApp(): Pick<BuiltApp, 'folder'> {
  let app: BuiltApp | undefined;
  beforeAll(async () => {
    app = await buildApp();
  });
  afterAll(async () => {
    await endAppServer();
    await app?.remove();
  });
  return {
    get folder() {
      assert(app, 'a test runs after beforeAll');
      return app.folder;
    },
  };
}
