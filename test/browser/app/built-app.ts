import { afterAll, beforeAll } from 'vitest';
import { assert } from '../../../shared/domain/assert.ts';
import { buildApp, type BuiltApp } from './build.ts';
import { endAppServer } from './app-server.ts';

/**
 * Builds the app before the tests of a file, unless the test run has it, and removes it after them with its server. The tests
 * read the folder.
 */
export function builtApp(): Pick<BuiltApp, 'folder'> {
  let app: BuiltApp | undefined;
  beforeAll(async () => {
    app = await buildApp();
  });
  afterAll(async () => {
    if (app?.isOfRun) return;
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
