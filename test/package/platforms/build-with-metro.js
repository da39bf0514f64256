/** `node build-with-metro.js FOLDER`: bundles `main.js` of the folder into its `bundle.js`, as an app of React Native does. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import Metro from 'metro';

const [folder] = process.argv.slice(2);
const { resolve } = createRequire(import.meta.url);
const config = await Metro.loadConfig(
  { cwd: folder, resetCache: true },
  {
    projectRoot: folder,
    watchFolders: [folder, join(import.meta.dirname, 'node_modules')],
    cacheStores: [],
    resolver: {
      // These two are those of React Native.
      resolverMainFields: ['react-native', 'browser', 'main'],
      unstable_conditionNames: ['react-native'],
      unstable_enablePackageExports: true,
      useWatchman: false,
    },
    transformer: {
      // An app of React Native has a Babel preset that turns modules into functions. This is Metro's own way.
      getTransformOptions: async () => ({ transform: { experimentalImportSupport: true, inlineRequires: false } }),
      babelTransformerPath: resolve('metro-babel-transformer'),
      asyncRequireModulePath: resolve('metro-runtime/src/modules/asyncRequire'),
    },
    reporter: { update: () => {} },
  },
);
await Metro.runBuild(config, {
  entry: 'main.js',
  platform: 'ios',
  dev: false,
  minify: false,
  out: join(folder, 'bundle.js'),
});
