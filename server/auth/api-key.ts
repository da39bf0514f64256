import type { ApiKey } from '../../shared/schema/auth.ts';
import type { TokenRow } from '../store/credentials/credentials.ts';

export function toApiKey(row: TokenRow): ApiKey {
  const { id, name, scopes, last_four, created_at, created_by, last_used_at, revoked_at } = row;
  return { id, name, scopes, last_four, created_at, created_by, last_used_at, revoked_at };
}
