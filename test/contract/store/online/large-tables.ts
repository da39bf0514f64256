/** The lint of migrations: a statement that locks or rewrites a large table for as long as it takes belongs into an online step. */

/** Tables that may have millions of rows. */
export const largeTables = [
  'client_owners',
  'idempotency_keys',
  'maps',
  'push_answers',
  'rejections',
  'runs',
  'stage_ids',
  'sync_clients',
];

/** The last migrations before the rule. */
export const lastFreeMigration = { postgres: 14, sqlite: 12 };

const named = `(?:${largeTables.join('|')})`;
const alters = new RegExp(`^ALTER TABLE (?:ONLY )?${named}\\b`, 'i');

/** Lists why the statements of a migration may hold a large table for long; empty if they do not. */
export function largeTableProblems(sql: string, which: 'postgres' | 'sqlite'): string[] {
  const statements = sql
    .replaceAll(/--[^\n]*/g, '')
    .split(';')
    .map((text) => text.replaceAll(/\s+/g, ' ').trim());
  return statements.flatMap((text) => {
    const problem = problemOf(text, which);
    return problem === undefined ? [] : [`${text}: ${problem}`];
  });
}

function problemOf(text: string, which: 'postgres' | 'sqlite'): string | undefined {
  if (new RegExp(`^(WITH .*)?(UPDATE (ONLY )?|DELETE FROM (ONLY )?|INSERT INTO )${named}\\b`, 'i').test(text)) {
    return 'writes rows of a large table at once; fill them in an online step';
  }
  if (new RegExp(`^INSERT INTO .* SELECT .*\\bFROM ${named}\\b`, 'i').test(text)) {
    return 'reads all rows of a large table at once; fill them in an online step';
  }
  // SQLite has no other way, and builds before the server listens to requests.
  if (which === 'sqlite') return undefined;
  if (new RegExp(`^CREATE (UNIQUE )?INDEX .*\\bON (ONLY )?${named}\\b`, 'i').test(text)) {
    return 'keeps writers from a large table; build the index CONCURRENTLY in an online step';
  }
  return alters.test(text) ? alterProblem(text) : undefined;
}

function alterProblem(text: string): string | undefined {
  if (/\bALTER (COLUMN )?\w+ (SET DATA )?TYPE\b/i.test(text)) return 'rewrites a large table; add a column and fill it';
  if (/\bSET NOT NULL\b/i.test(text)) return 'reads a large table under a lock; leave the column without NOT NULL';
  if (/\bADD (CONSTRAINT|UNIQUE|PRIMARY|FOREIGN|CHECK)\b/i.test(text) && !/\bNOT VALID\b/i.test(text)) {
    return 'reads a large table under a lock; add the constraint as NOT VALID';
  }
  if (/\bADD (COLUMN )?.*\b(GENERATED|SERIAL|BIGSERIAL|UNIQUE|PRIMARY KEY|REFERENCES)\b/i.test(text)) {
    return 'rewrites or reads a large table; add a plain column';
  }
  // A constant default is kept in the catalog; the value of a function is written into each row.
  if (/\bADD (COLUMN )?.*\bDEFAULT [^,]*\(/i.test(text)) return 'writes the default into each row; add a plain column';
  return undefined;
}
