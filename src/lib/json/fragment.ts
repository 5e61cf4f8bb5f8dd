import { encodeFields } from './encode-fields.ts'
import type { Complete } from './entity-json.ts'
import { EntityJson, finish, jsonByteString } from './json-content.ts'
import type { Content, Utf8 } from './json-content.ts'

/** The serialised fields of a T: an object without its closing brace, ready to be cached. */
export class Fragment<out T> implements Utf8 {
  declare protected readonly entity: T
  readonly bytes: string

  constructor(bytes: string) {
    this.bytes = bytes
  }
}

/** Serialises fields for the cache. */
export function createFragment<T extends object = never>(fields: Complete<NoInfer<T>>): Fragment<T> {
  const parts: Content[] = []
  return new Fragment(jsonByteString(finish(parts, encodeFields(parts, '{', { fields, separator: '' }))))
}

/** Returns a longer fragment. */
export function extendFragment<Base extends object = never, More extends object = never>(
  base: Fragment<NoInfer<Base>>,
  fields: Complete<NoInfer<More>>,
): Fragment<Base & More> {
  const parts: Content[] = [base]
  return new Fragment(jsonByteString(finish(parts, encodeFields(parts, '', { fields, separator: ',' }))))
}

/** Joins the parts of the JSON of a cached entity, which takes less memory and is faster to write. */
export function compactJson<T>(json: EntityJson<T>): { json: EntityJson<T>; utf8: Utf8 } {
  const utf8 = { bytes: jsonByteString(json) }
  return { json: new EntityJson(utf8), utf8 }
}

/** Returns a fragment as the start of longer JSON, of which V8 makes no copy, so that a cache retains only the latter. */
export function startOf<T>({ bytes }: Utf8, fragment: Fragment<T>): Fragment<T> {
  return new Fragment(bytes.slice(0, fragment.bytes.length))
}

/** Joins the shared part of an entity with all its other fields. */
export function joinFragment<Entity extends object = never, Shared extends object = never>(
  shared: Fragment<NoInfer<Shared>>,
  fields: Complete<NoInfer<Omit<Entity, keyof Shared>>>,
): EntityJson<Entity> {
  const parts: Content[] = [shared]
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
  const parts: Content[] = [shared]
  const text = encodeFields(parts, '', { fields, separator: ',' })
  return finish(parts, `${encodeFields(parts, text, { fields: own, separator: ',' })}}`)
}

/** Returns the JSON of an entity with further fields. */
export function extendEntity<Entity extends object = never, Base extends object = never>(
  json: EntityJson<NoInfer<Base>>,
  fields: Complete<NoInfer<Omit<Entity, keyof Base>>>,
): EntityJson<Entity> {
  const parts: Content[] = [{ bytes: jsonByteString(json).slice(0, -1) }]
  return finish(parts, `${encodeFields(parts, '', { fields, separator: ',' })}}`)
}
