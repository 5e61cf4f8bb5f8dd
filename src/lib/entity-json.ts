/**
 * Serialises entities: the only module that writes JSON of the API as text. A renderer returns objects whose type is
 * derived from the declaration of the entity; nested entities may already be JSON. The part of an entity that is equal
 * for all viewers is serialised once, cached as a `Fragment`, and joined with the viewer state.
 */

/** Bytes of UTF-8 that are cached, or text that was just written. */
type Chunk = string | Buffer

/** UTF-8 takes at most this many bytes for a UTF-16 code unit. */
const MAX_BYTES_PER_UNIT = 3

/** JSON of a T, in chunks, so that cached bytes are copied only into the response. */
export class EntityJson<out T> {
  declare protected readonly entity: T
  readonly chunks: readonly Chunk[]

  constructor(chunks: readonly Chunk[]) {
    this.chunks = chunks
  }
}

/** The serialised fields of a T: an object without its closing brace, ready to be cached. */
export class Fragment<out T> {
  declare protected readonly entity: T
  readonly bytes: Buffer

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }
}

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

/** Serialises a value that is not an entity, such as an array of entities. */
export function valueJson<T = never>(value: Encodable<NoInfer<T>>): EntityJson<T> {
  const chunks: Chunk[] = []
  chunks.push(encode(chunks, '', value))
  return new EntityJson(chunks)
}

/** Serialises a list of entities, which may already be JSON. */
export function listJson<T>(items: readonly (EntityJson<T> | T)[]): EntityJson<T[]> {
  return valueJson<T[]>(items as never)
}

/** Serialises a decimal integer that may exceed the precision of numbers. @throws RangeError for other text */
export function integerJson(digits: string): EntityJson<number> {
  if (!/^(?:0|[1-9]\d*)$/.test(digits)) throw new RangeError('Not a decimal integer')
  return new EntityJson([digits])
}

/** Serialises fields for the cache into a separate buffer: a slice of Node's buffer pool would retain the pool. */
export function createFragment<T extends object = never>(fields: Complete<NoInfer<T>>): Fragment<T> {
  const chunks: Chunk[] = []
  chunks.push(encodeFields(chunks, '{', { fields, separator: '' }))
  return new Fragment(concat(chunks))
}

/** Adds fields to a fragment. Returns the longer fragment, and the original one as a view on the same memory. */
export function extendFragment<Base extends object = never, More extends object = never>(
  base: Fragment<NoInfer<Base>>,
  fields: Complete<NoInfer<More>>,
): { extended: Fragment<Base & More>; base: Fragment<Base> } {
  const chunks: Chunk[] = [base.bytes]
  chunks.push(encodeFields(chunks, '', { fields, separator: ',' }))
  const bytes = concat(chunks)
  return { extended: new Fragment(bytes), base: new Fragment(bytes.subarray(0, base.bytes.length)) }
}

/** Joins the shared part of an entity with all its other fields. */
export function joinFragment<Entity extends object = never, Shared extends object = never>(
  shared: Fragment<NoInfer<Shared>>,
  fields: Complete<NoInfer<Omit<Entity, keyof Shared>>>,
): EntityJson<Entity> {
  const chunks: Chunk[] = [shared.bytes]
  chunks.push(`${encodeFields(chunks, '', { fields, separator: ',' })}}`)
  return new EntityJson(chunks)
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
  const chunks: Chunk[] = [shared.bytes]
  const text = encodeFields(chunks, '', { fields, separator: ',' })
  chunks.push(`${encodeFields(chunks, text, { fields: own, separator: ',' })}}`)
  return new EntityJson(chunks)
}

/** Serialises an entity whose fields are lists that arrive in batches. Yields text. */
export async function* streamEntity<T extends Record<keyof T, readonly unknown[]>>(fields: {
  [Key in keyof T]: AsyncIterable<readonly EntityJson<T[Key][number]>[]>
}): AsyncGenerator<string, void, undefined> {
  let text = '{'
  for (const [key, batches] of Object.entries<AsyncIterable<readonly EntityJson<unknown>[]>>(fields)) {
    const { first, next } = keyTextsOf(key)
    text += `${text === '{' ? first : next}[`
    let comma = ''
    for await (const batch of batches) {
      for (const item of batch) {
        text += comma + jsonText(item)
        comma = ','
      }
      if (text !== '') yield text
      text = ''
    }
    text += ']'
  }
  yield `${text}}`
}

export function jsonText(json: EntityJson<unknown>): string {
  return json.chunks.map((chunk) => (typeof chunk === 'string' ? chunk : chunk.toString())).join('')
}

/** Copies JSON into memory. Returns the part of `into` that it fills, or null if there is not enough room. */
export function writeJson({ chunks }: EntityJson<unknown>, into: Buffer): Buffer | null {
  let end = 0
  let text = ''
  const writeText = (): boolean => {
    if (text === '') return true
    const room = into.length - end
    if (text.length * MAX_BYTES_PER_UNIT > room && Buffer.byteLength(text) > room) return false
    end += into.write(text, end)
    text = ''
    return true
  }
  for (const chunk of chunks) {
    if (typeof chunk === 'string') text += chunk
    else {
      if (!writeText() || chunk.length > into.length - end) return null
      into.set(chunk, end)
      end += chunk.length
    }
  }
  return writeText() ? into.subarray(0, end) : null
}

export function jsonBytes({ chunks }: EntityJson<unknown>): Buffer {
  return concat(chunks)
}

/** Parses JSON back into an entity, for pages and messages that use entities. Renderers never do this. */
export function parseEntity<T>(json: EntityJson<T>): T {
  return JSON.parse(jsonText(json)) as T
}

function concat(chunks: readonly Chunk[]): Buffer {
  const bytes = chunks.reduce((sum, chunk) => sum + Buffer.byteLength(chunk), 0)
  return writeJson(new EntityJson(chunks), Buffer.allocUnsafeSlow(bytes))!
}

/** Appends a value to `text`. JSON in it is added to `chunks` after the text. Returns the text after the last chunk. */
function encode(chunks: Chunk[], text: string, value: unknown): string {
  // The most frequent values of the viewer state come first.
  if (value === null) return `${text}null`
  if (value === false) return `${text}false`
  if (value === true) return `${text}true`
  if (typeof value !== 'object') return text + (JSON.stringify(value) ?? 'null')
  if (value instanceof EntityJson) return splice(chunks, text, value.chunks)
  if (Array.isArray(value)) return encodeItems(chunks, `${text}[`, value)
  return `${encodeFields(chunks, `${text}{`, { fields: value, separator: '' })}}`
}

function encodeItems(chunks: Chunk[], start: string, items: readonly unknown[]): string {
  let text = start
  for (let n = 0; n < items.length; n += 1) text = encode(chunks, n === 0 ? text : `${text},`, items[n])
  return `${text}]`
}

/** Appends fields. `separator` precedes the first of them, unless all are undefined. */
function encodeFields(
  chunks: Chunk[],
  start: string,
  { fields, separator }: { fields: object; separator: '' | ',' },
): string {
  let text = start
  let isFirst = separator === ''
  // `for in` is the fastest iteration of a plain object.
  for (const key in fields) {
    const value = (fields as Record<string, unknown>)[key]
    if (value === undefined) continue
    const { first, next } = keyTextsOf(key)
    text = encode(chunks, text + (isFirst ? first : next), value)
    isFirst = false
  }
  return text
}

function splice(chunks: Chunk[], text: string, spliced: readonly Chunk[]): string {
  const last = spliced.length - 1
  if (last === 0 && typeof spliced[0] === 'string') return text + spliced[0]
  chunks.push(text)
  for (let n = 0; n < last; n += 1) chunks.push(spliced[n]!)
  const end = spliced[last]!
  if (typeof end === 'string') return end
  chunks.push(end)
  return ''
}

/** A key with quotation marks and colon: as the first key of an object, and after a comma. */
interface KeyTexts {
  first: string
  next: string
}

/** Caches key texts. Limited, because the keys of maps are arbitrary, unlike fields of entities. */
const keyTexts = new Map<string, KeyTexts>()
const MAX_KEY_TEXTS = 2_000

function keyTextsOf(key: string): KeyTexts {
  const cached = keyTexts.get(key)
  if (cached !== undefined) return cached
  const first = `${JSON.stringify(key)}:`
  const texts = { first, next: `,${first}` }
  if (keyTexts.size < MAX_KEY_TEXTS) keyTexts.set(key, texts)
  return texts
}
