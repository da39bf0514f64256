/** Fields that the responses to push and pull share. */
import { Type } from 'typebox';

/** The account's version at a write. */
export const Version = Type.Integer({ minimum: 0 });
/** The number of one mutation. */
export const AnsweredSeq = Type.Integer({ minimum: 1 });
/** The highest number for which something is true; 0 if there is none yet. */
export const HighestSeq = Type.Integer({ minimum: 0 });
