/**
 * `npm run openapi`: takes the document from a real server and lints it, without errors and warnings. `--record`
 * records the answers of the examples again, `--out FILE` writes the document.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { formatted } from '../../tools/formatted.ts';
import { responsesFileUrl } from '../../server/openapi/example-responses.ts';
import { lint } from './lint.ts';
import { recordedAnswers, replayExamples } from './replay.ts';

const { values } = parseArgs({ options: { record: { type: 'boolean' }, out: { type: 'string' } } });
const { document, played } = await replayExamples();

if (values.record) {
  await writeFile(responsesFileUrl, await formatted('answers.json', JSON.stringify(recordedAnswers(played))));
  console.log(
    `The answers of ${played.length} examples are recorded; they are in the document from the next start on.`,
  );
} else {
  if (values.out) await writeFile(values.out, `${JSON.stringify(document, null, 2)}\n`);
  const problems = await lint(document);
  if (problems) console.error(problems);
  process.exitCode = problems ? 1 : 0;
}
