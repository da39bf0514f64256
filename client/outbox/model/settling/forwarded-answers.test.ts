import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyOutboxContent, tagsOf } from '../../../../test/device/outbox-content.ts';
import { checkProperty } from '../../../../test/domain/check-property.ts';
import { isReplaced } from '../entry.ts';
import { withForwardedAnswers } from './forwarded-answers.ts';
import { isRecordingUpload } from '../../../../shared/domain/runs-read.ts';

test('[SYNC-35] [OUTBOX-37] an answer is stored with its entry, and only a recording with a forgotten answer is renumbered', () => {
  checkProperty(
    fc.property(anyOutboxContent, fc.constantFrom('done', 'forgotten'), (content, outcome) => {
      const unanswered = content.forwarded.filter(({ answer }) => answer === undefined);
      const answers = unanswered.map((entry) => ({ entry, outcome }));
      const after = withForwardedAnswers(content, answers, 'cursor-1');
      expect(tagsOf(after.forwarded)).toEqual(tagsOf(content.forwarded));
      for (const [index, entry] of after.forwarded.entries()) {
        const before = content.forwarded[index];
        if (!before || before.answer) {
          expect(entry).toEqual(before);
          continue;
        }
        const isSentAgain = outcome === 'forgotten' && isRecordingUpload(before) && !isReplaced(before);
        expect(entry.answer).toEqual(isSentAgain ? undefined : { cursor: 'cursor-1', outcome });
        expect(entry.client_id === before.client_id).toBe(!isSentAgain);
        expect(entry.forwardOrder).toBe(before.forwardOrder);
      }
    }),
  );
});
