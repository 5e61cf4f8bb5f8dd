import { encodeFields } from './encode-fields.ts'
import type { Complete } from './entity-json.ts'
import { EntityJson, finish, jsonBytes } from './json-content.ts'
import type { Content } from './json-content.ts'

/** The serialised fields of a T: an object without its closing brace, ready to be cached. */
export class Fragment<out T> {
  declare protected readonly entity: T
  readonly bytes: Buffer

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }
}

/** Serialises fields for the cache into a separate buffer: a slice of Node's buffer pool would retain the pool. */
export function createFragment<T extends object = never>(fields: Complete<NoInfer<T>>): Fragment<T> {
  const parts: Content[] = []
  return new Fragment(jsonBytes(finish(parts, encodeFields(parts, '{', { fields, separator: '' }))))
}

/** Returns a longer fragment, in memory of its own. */
export function extendFragment<Base extends object = never, More extends object = never>(
  base: Fragment<NoInfer<Base>>,
  fields: Complete<NoInfer<More>>,
): Fragment<Base & More> {
  const parts: Content[] = [base.bytes]
  return new Fragment(jsonBytes(finish(parts, encodeFields(parts, '', { fields, separator: ',' }))))
}

/** Copies the JSON of a cached entity into one buffer, which is faster to write than its parts. */
export function compactJson<T>(json: EntityJson<T>): { json: EntityJson<T>; bytes: Buffer } {
  const bytes = jsonBytes(json)
  return { json: new EntityJson(bytes), bytes }
}

/** Returns a fragment as a view on longer bytes that begin with it, so that a cache retains only the longer ones. */
export function viewIn<T>({ bytes }: { bytes: Buffer }, fragment: Fragment<T>): Fragment<T> {
  return new Fragment(bytes.subarray(0, fragment.bytes.length))
}

/** Joins the shared part of an entity with all its other fields. */
export function joinFragment<Entity extends object = never, Shared extends object = never>(
  shared: Fragment<NoInfer<Shared>>,
  fields: Complete<NoInfer<Omit<Entity, keyof Shared>>>,
): EntityJson<Entity> {
  const parts: Content[] = [shared.bytes]
  return finish(parts, `${encodeFields(parts, '', { fields, separator: ',' })}}`)
}

/** Like `joinFragment`, with the other fields in two objects, which avoids copying one into the other. */
export function joinFragmentWith<
  Entity extends object = never,
  Shared extends object = never,
  Own extends object = never,
>(
  shared: Fragment<NoInfer<Shared>>,
  own: Complete<NoInfer<Own>>,
  fields: Complete<NoInfer<Omit<Entity, keyof Shared | keyof Own>>>,
): EntityJson<Entity> {
  const parts: Content[] = [shared.bytes]
  const text = encodeFields(parts, '', { fields, separator: ',' })
  return finish(parts, `${encodeFields(parts, text, { fields: own, separator: ',' })}}`)
}

/** Returns the JSON of an entity with further fields. */
export function extendEntity<Entity extends object = never, Base extends object = never>(
  json: EntityJson<NoInfer<Base>>,
  fields: Complete<NoInfer<Omit<Entity, keyof Base>>>,
): EntityJson<Entity> {
  const bytes = jsonBytes(json)
  const parts: Content[] = [bytes.subarray(0, bytes.length - 1)]
  return finish(parts, `${encodeFields(parts, '', { fields, separator: ',' })}}`)
}
