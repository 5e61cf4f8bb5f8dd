import { type TSchemaOptions, Type } from 'typebox'

/** One word of a fixed list. The `type` beside the `enum` is for generators of clients, which rely on it. */
export function oneOf<const Words extends string[]>(words: [...Words], options?: TSchemaOptions) {
  return Type.Enum(words, { type: 'string', ...options })
}
