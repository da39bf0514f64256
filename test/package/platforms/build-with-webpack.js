/** `node build-with-webpack.js FOLDER`: builds `main.js` of the folder into its `dist`, and prints what webpack warns of. */
import { join } from 'node:path';
import webpack from 'webpack';

const [folder] = process.argv.slice(2);
const compiler = webpack({
  mode: 'production',
  context: folder,
  entry: './main.js',
  output: { path: join(folder, 'dist'), filename: 'main.js' },
  // The engine loads most of its code on demand, and an app that records decides on its own size.
  performance: { hints: false },
});
compiler.run((error, stats) => {
  if (error) throw error;
  const { warnings, errors } = stats.toJson({ all: false, warnings: true, errors: true });
  console.log(JSON.stringify({ warnings, errors }));
  compiler.close(() => {});
});
