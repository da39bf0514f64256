/** Checks the responses of the requests for pairing, devices and API keys, as `parse-response.ts` does for the sync. */
import { isObject, type JsonObject } from '../../core/json-object.ts';
import { isText } from './parse-response.ts';

export function isPairingReply({ token, account }: JsonObject): boolean {
  return isText(token) && isObject(account) && isText(account['id']);
}

export function isPairingCodeAccount({ account }: JsonObject): boolean {
  return isObject(account) && isText(account['id']) && isText(account['name']);
}

export const isAccountOverview = ({ id, name, plan, phones, devices, maps }: JsonObject): boolean =>
  isText(id) && isText(name) && isText(plan) && [phones, devices, maps].every(Number.isSafeInteger);

export function pageValidator(isRow: (row: unknown) => boolean): (body: JsonObject) => boolean {
  return ({ data, next_cursor }) =>
    Array.isArray(data) && data.every(isRow) && (next_cursor === null || isText(next_cursor));
}

export const isDevice = (device: unknown): boolean =>
  isObject(device) && isText(device['id']) && isText(device['kind']);

export const isApiKey = (key: unknown): boolean => isObject(key) && isText(key['id']) && Array.isArray(key['scopes']);

export const isNewApiKey = ({ key, api_key }: JsonObject): boolean => isApiKey(key) && isText(api_key);

export function isPairingCode({ code, expires_in_secs }: JsonObject): boolean {
  return isText(code) && Number.isFinite(expires_in_secs);
}
