/** Text that was just written, UTF-8 that is cached, or a list of these. */
export type Content = string | Utf8 | readonly Content[]

/**
 * Cached UTF-8. A string with one character for each byte takes less memory than a `Buffer`, which has 330 bytes of its
 * own, and than the text itself, of which V8 stores each character in two bytes if one of them is not Latin-1.
 */
export interface Utf8 {
  readonly bytes: string
}

/** UTF-8 takes at most this many bytes for a UTF-16 code unit. */
const MAX_BYTES_PER_UNIT = 3

/** JSON of a T, in parts, so that cached bytes are copied only into the response. */
export class EntityJson<out T> {
  declare protected readonly entity: T
  readonly content: Content

  constructor(content: Content) {
    this.content = content
  }
}

/** JSON that many entities contain, such as an empty list, so that `encode-fields.ts` caches the text of fields with it. */
export class ConstantJson<out T> extends EntityJson<T> {}

/** Returns the JSON of these parts and the text after them. */
export function finish<T>(parts: Content[], text: string): EntityJson<T> {
  if (parts.length === 0) return new EntityJson(text)
  parts.push(text)
  return new EntityJson(parts)
}

/** V8 represents a concatenation as a tree of its parts, and visits them again in each text that contains it. */
export function flatten(text: string): string {
  return Buffer.from(text).toString()
}

export function jsonText({ content }: EntityJson<unknown>): string {
  return textOf(content)
}

/** Returns JSON as text if its parts are not longer, in bytes of cached parts and characters of others; else null. */
export function shortJsonText(json: EntityJson<unknown>, maxLength: number): string | null {
  return roomAfter(json.content, maxLength) >= 0 ? textOf(json.content) : null
}

/** Returns the first entities, at least one, whose JSON is together not longer, measured like that of `shortJsonText`. */
export function takeWithin<T>(entities: readonly EntityJson<T>[], maxLength: number): EntityJson<T>[] {
  let room = maxLength
  const end = entities.findIndex(({ content }) => (room = roomAfter(content, room)) < 0)
  return end === -1 ? [...entities] : entities.slice(0, Math.max(1, end))
}

/** Returns how much of the room the content leaves; negative if it is longer. */
function roomAfter(content: Content, room: number): number {
  if (!isList(content)) return room - (typeof content === 'string' ? content.length : content.bytes.length)
  let left = room
  for (let n = 0; n < content.length && left >= 0; n += 1) left = roomAfter(content[n]!, left)
  return left
}

function textOf(content: Content): string {
  if (isList(content)) return content.map(textOf).join('')
  return typeof content === 'string' ? content : Buffer.from(content.bytes, 'latin1').toString()
}

/** Copies JSON into memory. Returns the part of `into` that it fills, or null if there is not enough room. */
export function writeJson({ content }: EntityJson<unknown>, into: Buffer): Buffer | null {
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
  const write = (part: Content): boolean => {
    if (typeof part === 'string') {
      text += part
      return true
    }
    if (isList(part)) return part.every(write)
    if (!writeText() || part.bytes.length > into.length - end) return false
    end += into.write(part.bytes, end, 'latin1')
    return true
  }
  return write(content) && writeText() ? into.subarray(0, end) : null
}

export function jsonBytes(json: EntityJson<unknown>): Buffer {
  return writeJson(json, Buffer.allocUnsafe(byteLengthOf(json.content)))!
}

function byteLengthOf(content: Content): number {
  if (isList(content)) return content.reduce((sum, part) => sum + byteLengthOf(part), 0)
  return typeof content === 'string' ? Buffer.byteLength(content) : content.bytes.length
}

/** Returns JSON as a string with one character for each byte, as `Utf8` contains it. */
export function jsonByteString(json: EntityJson<unknown>): string {
  return jsonBytes(json).toString('latin1')
}

const isList = (content: Content): content is readonly Content[] => Array.isArray(content)

/** Parses JSON back into an entity, for pages and messages that use entities. Renderers never do this. */
export function parseEntity<T>(json: EntityJson<T>): T {
  return JSON.parse(jsonText(json)) as T
}
