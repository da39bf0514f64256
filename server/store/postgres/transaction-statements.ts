import { statement } from './statement.ts';

export const beginStatement = statement({ text: 'BEGIN ISOLATION LEVEL READ COMMITTED' });

export const commitStatement = statement({ text: 'COMMIT' });

export const rollbackStatement = statement({ text: 'ROLLBACK' });
