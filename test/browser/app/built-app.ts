import { afterAll, beforeAll } from 'vitest';
import { assert } from '../../../shared/domain/assert.ts';
import { buildApp, type BuiltApp } from './build.ts';

/** Builds the app before the tests of a file, and removes it after them. The tests read the folder. */
export function builtApp(): Pick<BuiltApp, 'folder'> {
  let app: BuiltApp | undefined;
  beforeAll(async () => {
    app = await buildApp();
  });
  afterAll(() => app?.remove());
  return {
    get folder() {
      assert(app, 'a test runs after beforeAll');
      return app.folder;
    },
  };
}
