import { type TSchemaOptions, Type } from 'typebox'

/** Returns a string enum. It has `type` in addition to `enum` because client generators rely on it. */
export function oneOf<const Words extends string[]>(words: [...Words], options?: TSchemaOptions) {
  return Type.Enum(words, { type: 'string', ...options })
}
