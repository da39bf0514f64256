/** Fields that the responses to push and pull share. */
import { Type } from 'typebox';

/** The version of a record: the value of the account's counter when the record was written. */
export const Version = Type.Integer({ minimum: 0 });
/** The sequence number of one answered mutation. */
export const AnsweredSeq = Type.Integer({ minimum: 1 });
/** The highest sequence number that was answered or acknowledged; 0 if there is none. */
export const HighestSeq = Type.Integer({ minimum: 0 });
