/** Thrown for a body that no packer makes. The device treats it like malformed JSON. */
export class MalformedColumn extends Error {
  override name = 'MalformedColumn';

  constructor(what: string) {
    super(`The answer is packed wrongly: ${what}.`);
  }
}
