import { ConstantJson, EntityJson, flatten } from './json-content.ts'
import type { Content } from './json-content.ts'

/** Appends a value to `text`. JSON in it is added to `parts` after the text. Returns the text after the last part. */
export function encode(parts: Content[], text: string, value: unknown): string {
  // The most frequent values of the viewer state come first.
  if (value === null) return `${text}null`
  if (value === false) return `${text}false`
  if (value === true) return `${text}true`
  if (typeof value !== 'object') return text + (JSON.stringify(value) ?? 'null')
  if (value instanceof EntityJson) return nest(parts, text, value)
  if (Array.isArray(value)) return encodeItems(parts, `${text}[`, value)
  return `${encodeFields(parts, `${text}{`, { fields: value, separator: '' })}}`
}

function encodeItems(parts: Content[], start: string, items: readonly unknown[]): string {
  let text = start
  for (let n = 0; n < items.length; n += 1) text = encode(parts, n === 0 ? text : `${text},`, items[n])
  return `${text}]`
}

/** Appends fields. `separator` precedes the first of them, unless all are undefined. */
export function encodeFields(
  parts: Content[],
  start: string,
  { fields, separator }: { fields: object; separator: '' | ',' },
): string {
  let text = start
  let isFirst = separator === ''
  let run = NO_FIELDS
  // `for in` is the fastest iteration of a plain object.
  for (const key in fields) {
    const value = (fields as Record<string, unknown>)[key]
    if (value === undefined) continue
    const longer = isFirst ? null : run.extend(key, value)
    if (longer !== null) run = longer
    else {
      const { first, next } = keyTextsOf(key)
      text = encode(parts, text + run.text + (isFirst ? first : next), value)
      run = NO_FIELDS
      isFirst = false
    }
  }
  return text + run.text
}

/**
 * Successive fields with values that many entities have: null, booleans and constants. Their text is cached as a whole,
 * because writing one string of 300 characters is several times faster than writing twenty short ones.
 */
class Run {
  /** With a comma before each field. */
  readonly text: string
  readonly #longer = new Map<string, Map<unknown, Run>>()
  #lastKey = ''
  #lastValue: unknown
  #lastRun: Run | null = null

  constructor(text: string) {
    this.text = text
  }

  /** Returns the run with one more field, or null if the value is not frequent or too many runs are cached. */
  extend(key: string, value: unknown): Run | null {
    if (value === this.#lastValue && key === this.#lastKey) return this.#lastRun
    const isFrequent = value === null || typeof value === 'boolean' || value instanceof ConstantJson
    if (!isFrequent) return null
    const run = this.#longer.get(key)?.get(value) ?? this.#add(key, value)
    this.#lastKey = key
    this.#lastValue = value
    this.#lastRun = run
    return run
  }

  #add(key: string, value: unknown): Run | null {
    if (runs >= MAX_RUNS) return null
    runs += 1
    const run = new Run(flatten(this.text + keyTextsOf(key).next + encode([], '', value)))
    const byValue = this.#longer.get(key) ?? new Map<unknown, Run>()
    this.#longer.set(key, byValue.set(value, run))
    return run
  }
}

const MAX_RUNS = 10_000
let runs = 0
const NO_FIELDS = new Run('')

/** Appends nested JSON. */
function nest(parts: Content[], text: string, { content }: EntityJson<unknown>): string {
  if (typeof content === 'string') return text + content
  parts.push(text, content)
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

export function keyTextsOf(key: string): KeyTexts {
  const cached = keyTexts.get(key)
  if (cached !== undefined) return cached
  const first = `${JSON.stringify(key)}:`
  const texts = { first, next: `,${first}` }
  if (keyTexts.size < MAX_KEY_TEXTS) keyTexts.set(key, texts)
  return texts
}
