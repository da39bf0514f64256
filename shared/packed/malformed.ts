/** A body that no packer made. The device treats it like malformed JSON. */
export class MalformedColumn extends Error {
  override name = 'MalformedColumn';

  constructor(what: string) {
    super(`The answer is packed wrongly: ${what}.`);
  }
}
