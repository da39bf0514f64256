import type { PushRequest } from '../../shared/protocol/push.ts';

/** Removes `sent_at`: a sealed push may travel for days, which would look like an error of the device's clock. */
export function withoutSentAt({ sent_at: _sentAt, ...request }: PushRequest): PushRequest {
  return request;
}
