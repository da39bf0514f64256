/** Checks the form of the comments: how they open and how long they are. */
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseSync } from 'vite';

/** These openings hide the subject; *The same* needs a noun behind it. */
const hiddenSubject =
  /^(Of|What|By|Whoever|Who|That of|Those|Such|Anew|Besides|Nobody|Nothing of|Of which|One of|On which|To which|In which|Where)\b|^The same\b(?! [a-z]+ )/;
const linesMax = 2;
/** A file's head may draw a machine, and public docstrings name shapes, units, errors and sources. */
const headLinesMax = 40;
const publicLinesMax = 8;

interface Comment {
  line: number;
  text: string;
  lines: number;
  isHead: boolean;
  isPublic: boolean;
}

/** Lists the problems of the comments of one file as `line: problem`. */
export function commentProblems(path: string, source: string): string[] {
  return commentsOf(path, source).flatMap(({ line, text, lines, isHead, isPublic }) => {
    const max = isHead ? headLinesMax : isPublic ? publicLinesMax : linesMax;
    return [
      ...(hiddenSubject.test(text) ? [`${line}: opens without its subject: "${text.slice(0, 60)}"`] : []),
      ...(lines > max ? [`${line}: has ${lines} lines, more than ${max}: "${text.slice(0, 60)}"`] : []),
    ];
  });
}

function commentsOf(path: string, source: string): Comment[] {
  const { comments } = parseSync(path, source);
  return joinLineComments(comments.map(({ start, end }) => commentAt(path, source, { start, end })));
}

function commentAt(path: string, source: string, { start, end }: { start: number; end: number }): Comment {
  const lines = source
    .slice(start, end)
    .split('\n')
    .map((line) => line.replace(/^\s*(\/\*\*?|\*\/|\*|\/\/)\s?/, '').replace(/\s*\*\/$/, ''))
    .filter((line) => line.trim() !== '');
  return {
    line: source.slice(0, start).split('\n').length,
    text: lines.join(' ').trim(),
    lines: lines.length,
    isHead: start === 0,
    isPublic: path.endsWith('client/gemba.ts') || /^\s*export /.test(source.slice(end)),
  };
}

/** Joins line comments on consecutive lines into one comment. */
function joinLineComments(comments: Comment[]): Comment[] {
  const result: Comment[] = [];
  for (const comment of comments) {
    const last = result.at(-1);
    if (last && last.line + last.lines === comment.line && comment.lines === 1 && !last.isHead) {
      last.lines++;
      last.text += ` ${comment.text}`;
    } else result.push({ ...comment });
  }
  return result;
}

const folders = ['client', 'examples', 'server', 'shared', 'tools', 'test'];

export async function allCommentProblems(root: string): Promise<string[]> {
  const names = await Promise.all(folders.map((folder) => readdir(join(root, folder), { recursive: true })));
  const paths = names
    .flatMap((inside, index) => inside.map((name) => join(folders[index] ?? '', name)))
    .filter((path) => /\.tsx?$/.test(path) && !/node_modules|client\/generated/.test(path))
    .toSorted();
  const problems = await Promise.all(
    paths.map(async (path) =>
      commentProblems(path, await readFile(join(root, path), 'utf8')).map((problem) => `${path}:${problem}`),
    ),
  );
  return problems.flat();
}

if (process.argv[1] === import.meta.filename) {
  const problems = await allCommentProblems(resolve(import.meta.dirname, '../../..'));
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
