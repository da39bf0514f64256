/** Without what nobody reads of an error (`shared/schema/field-errors.ts`), which is a third of what would travel. */
export function leanValidators(code: string): string {
  return [...unread, ...wordedElsewhere]
    .reduce((rest, [pattern, shorter]) => rest.replaceAll(pattern, shorter), code)
    .replaceAll(/(?<=const schema\d+ = )\{.*?\}(?=;(?:const|function|export))/g, wordsOf)
    .replaceAll(
      /if\(vErrors === null\)\{vErrors = \[(\w+)\];\}else \{vErrors\.push\(\1\);\}/g,
      '(vErrors ??= []).push($1);',
    );
}

/** Of a schema, what says something in words, and where. */
function wordsOf(schema: string): string {
  const isRead = (key: string, value: unknown) =>
    key === '' || key === 'description' || (typeof value === 'object' && !Array.isArray(value));
  return JSON.stringify(JSON.parse(schema), (key, value: unknown) => (isRead(key, value) ? value : undefined));
}

type Shortening = [pattern: string | RegExp, shorter: string];

/** A string in the code that ajv writes. */
const text = '"(?:[^"\\\\]|\\\\.)*"';

/** In their order: some match what those before have left. */
const unread: Shortening[] = [
  [/schemaPath:"(?:[^"\\]|\\.)*",/g, ''],
  [new RegExp(`params:\\{pattern: ${text}\\},message:${text}\\+${text}\\+${text},schema:${text},`, 'g'), 'params:{},'],
  [/schema:[\w$.[\]"/~-]+,parentSchema:/g, 'parentSchema:'],
  [/,data(:data\d*)?\}/g, '}'],
  [/(params:\{(?:missing|additional)Property: [^{}]*\}),message:[^{}]*\}/g, '$1}'],
  ['message:"must be object",', ''],
  [/keyword:"(?!required|additional)\w+",/g, ''],
  [', parentData, parentDataProperty, rootData=data}={}', '}={}'],
  [/,parentData:[\w.]+,parentDataProperty:[\w"]+,rootData\}/g, '}'],
];

/** What is wrong is said by the description in the schema. */
const wordedElsewhere: Shortening[] = [
  [/params:\{type: "(?:string|integer|number|boolean)"\},message:"[^"]*",/g, 'params:{},'],
  [/params:\{comparison: [^{}]*\},message:"[^"]*",/g, 'params:{},'],
  [/params:\{allowedValues: [\w.]+\},message:"[^"]*",/g, 'params:{},'],
];
