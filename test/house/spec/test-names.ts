/** Reads the names of the tests from the syntax tree of a file, so that comments and strings do not count. */
import { parseSync, Visitor, type ESTree } from 'vite';

/** Returns the names given to `test`, `it` and `describe`, also with `each` or `runIf`, but not with `skip` or `todo`. */
export function testNames(path: string, source: string): string[] {
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const names: string[] = [];
  new Visitor({
    CallExpression({ callee, arguments: [first] }) {
      const words = wordsOf(callee);
      const runs = definesTests.has(words[0] ?? '') && !words.includes('skip') && !words.includes('todo');
      const name = runs && first && textOf(first);
      if (name) names.push(name);
    },
  }).visit(program);
  return names;
}

const definesTests = new Set(['test', 'it', 'describe']);

/** `test.each(table)` → `['test', 'each']` */
function wordsOf(callee: ESTree.Node): string[] {
  if (callee.type === 'Identifier') return [callee.name];
  if (callee.type === 'CallExpression') return wordsOf(callee.callee);
  if (callee.type === 'TaggedTemplateExpression') return wordsOf(callee.tag);
  if (callee.type === 'MemberExpression' && callee.property.type === 'Identifier') {
    return [...wordsOf(callee.object), callee.property.name];
  }
  return [];
}

function textOf(argument: ESTree.Node): string | undefined {
  if (argument.type === 'Literal') return String(argument.value);
  if (argument.type === 'TemplateLiteral') return argument.quasis.map((quasi) => quasi.value.cooked).join('…');
  return undefined;
}
