import { ConstantJson, EntityJson, finish, flatten, jsonText } from './json-content.ts'
import type { Content } from './json-content.ts'
import { encode, encodeFields, keyTextsOf } from './encode-fields.ts'

/**
 * Serialises entities: JSON of the API is written as text only in this folder. A renderer returns objects whose type is
 * derived from the declaration of the entity; nested entities may already be JSON. The part of an entity that is equal
 * for all viewers is serialised once, cached as a `Fragment`, and joined with the viewer state.
 */

/** What an object to be serialised may contain for a T: its JSON, the value, or an object or array of these. */
export type Encodable<T> =
  | EntityJson<T>
  | (T extends readonly (infer Item)[] ? readonly Encodable<Item>[] : T extends object ? T | Complete<T> : T)

/**
 * All fields of T. Optional fields are required, too, as undefined if the entity lacks them, so that a renderer that
 * omits or misspells a field does not compile.
 */
export type Complete<T> = {
  [Key in keyof Required<T>]: Encodable<Required<T>[Key]> | (object extends Pick<T, Key> ? undefined : never)
}

/** Returns the object as an entity. Serialisation omits undefined fields. */
export function entity<T extends object = never>(fields: Complete<NoInfer<T>> & T): T {
  return fields
}

/** Serialises an entity. */
export function entityJson<T extends object = never>(fields: Complete<NoInfer<T>>): EntityJson<T> {
  return valueJson<T>(fields as never)
}

/** Like `entityJson`, with the fields in two objects, which avoids copying one into the other. */
export function entityJsonWith<T extends object = never, Own extends object = never>(
  own: Complete<NoInfer<Own>>,
  fields: Complete<NoInfer<Omit<T, keyof Own>>>,
): EntityJson<T> {
  const parts: Content[] = []
  const text = encodeFields(parts, '{', { fields, separator: '' })
  return finish(parts, `${encodeFields(parts, text, { fields: own, separator: ',' })}}`)
}

/** Serialises a value that is not an entity, such as an array of entities. */
export function valueJson<T = never>(value: Encodable<NoInfer<T>>): EntityJson<T> {
  const parts: Content[] = []
  return finish(parts, encode(parts, '', value))
}

/** Serialises a list of entities, which may already be JSON. */
export function listJson<T>(items: readonly (EntityJson<T> | T)[]): EntityJson<T[]> {
  return valueJson<T[]>(items as never)
}

/** Serialises a value that many entities contain. Create it once, not for each entity. */
export function constantJson<T = never>(value: Encodable<NoInfer<T>>): EntityJson<T> {
  return new ConstantJson(flatten(jsonText(valueJson<T>(value))))
}

/** Serialises a decimal integer that may exceed the precision of numbers. @throws RangeError for other text */
export function integerJson(digits: string): EntityJson<number> {
  if (!/^(?:0|[1-9]\d*)$/.test(digits)) throw new RangeError('Not a decimal integer')
  return new EntityJson(digits)
}

/** Serialises a list whose items arrive in batches. Yields text. */
export async function* streamList<T>(
  batches: AsyncIterable<readonly EntityJson<T>[]>,
): AsyncGenerator<string, void, undefined> {
  let [text, comma] = ['[', '']
  for await (const batch of batches) {
    for (const item of batch) {
      text += comma + jsonText(item)
      comma = ','
    }
    if (text !== '') yield text
    text = ''
  }
  yield `${text}]`
}

/** A list that arrives in batches, or a value. */
type StreamedField<Value> =
  | EntityJson<Value>
  | (Value extends readonly (infer Item)[] ? AsyncIterable<readonly EntityJson<Item>[]> : never)

/** Serialises an entity with lists that arrive in batches. Yields text. */
export async function* streamEntity<T extends object = never>(fields: {
  [Key in keyof NoInfer<T>]: StreamedField<NoInfer<T>[Key]>
}): AsyncGenerator<string, void, undefined> {
  let opening = '{'
  for (const [key, field] of Object.entries<EntityJson<unknown> | AsyncIterable<readonly EntityJson<unknown>[]>>(
    fields as never,
  )) {
    const { first, next } = keyTextsOf(key)
    yield opening === '' ? next : opening + first
    if (field instanceof EntityJson) yield jsonText(field)
    else yield* streamList(field)
    opening = ''
  }
  yield `${opening}}`
}

/** Serialises a list of entities that `streamEntity` serialises. Yields text. */
export async function* streamEntities(
  entities: AsyncIterable<AsyncIterable<string>>,
): AsyncGenerator<string, void, undefined> {
  let comma = '['
  for await (const texts of entities) {
    yield comma
    yield* texts
    comma = ','
  }
  yield comma === '[' ? '[]' : ']'
}
