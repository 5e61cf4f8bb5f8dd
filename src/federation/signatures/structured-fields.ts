import { decodeBase64, MalformedSignature } from './signature.ts'

/** A bare item of RFC 8941: text, a name, a whole number, bytes or a truth. Decimals are not used in signatures. */
export type BareItem = string | number | boolean | Buffer | Token

/** A word without quotes, kept apart from text. */
interface Token {
  token: string
}

export interface Item {
  value: BareItem
  params: ReadonlyMap<string, BareItem>
}

export interface Member {
  /** The items of an inner list `(…)`, or the one item. */
  value: BareItem | readonly Item[]
  params: ReadonlyMap<string, BareItem>
  /** The member as it was written, without its key. */
  raw: string
}

const MAX_LENGTH = 16 * 1024
const MAX_MEMBERS = 16

/**
 * Reads a dictionary of structured fields (RFC 8941), with one rule more: no key and no parameter may be repeated,
 * since two readers could each believe another one.
 * @throws MalformedSignature
 */
export function parseDictionary(text: string): Map<string, Member> {
  if (text.length > MAX_LENGTH) throw new MalformedSignature('a header is too long')
  const reader = new FieldReader(text)
  const members = new Map<string, Member>()
  reader.skip(/[ \t]*/y)
  while (!reader.done) {
    const key = reader.key()
    if (members.has(key)) throw new MalformedSignature(`${key} is repeated`)
    members.set(key, reader.member())
    if (members.size > MAX_MEMBERS) throw new MalformedSignature('too many members')
    reader.skip(/[ \t]*/y)
    if (reader.done) break
    reader.take(/,[ \t]*/y, 'a comma')
    if (reader.done) throw new MalformedSignature('a comma leads to nothing')
  }
  return members
}

class FieldReader {
  readonly text: string
  at = 0

  constructor(text: string) {
    this.text = text
  }

  get done(): boolean {
    return this.at >= this.text.length
  }

  skip(pattern: RegExp): string | null {
    pattern.lastIndex = this.at
    const match = pattern.exec(this.text)
    if (!match) return null
    this.at = pattern.lastIndex
    return match[0]
  }

  take(pattern: RegExp, what: string): string {
    const found = this.skip(pattern)
    if (found === null) throw new MalformedSignature(`${what} is missing at ${this.at}`)
    return found
  }

  key(): string {
    return this.take(/[a-z*][a-z0-9_.*-]*/y, 'a key')
  }

  member(): Member {
    if (this.skip(/=/y) === null) {
      const from = this.at
      return { value: true, params: this.params(), raw: this.text.slice(from, this.at) }
    }
    const from = this.at
    const value = this.text[from] === '(' ? this.innerList() : this.bareItem()
    const params = this.params()
    return { value, params, raw: this.text.slice(from, this.at) }
  }

  innerList(): Item[] {
    this.take(/\( */y, 'a list')
    const items: Item[] = []
    while (this.skip(/\)/y) === null) {
      const value = this.bareItem()
      items.push({ value, params: this.params() })
      if (this.text[this.at] !== ')') this.take(/ +/y, 'a space')
    }
    return items
  }

  params(): Map<string, BareItem> {
    const params = new Map<string, BareItem>()
    while (this.skip(/; */y) !== null) {
      const name = this.key()
      if (params.has(name)) throw new MalformedSignature(`${name} is repeated`)
      params.set(name, this.skip(/=/y) === null ? true : this.bareItem())
    }
    return params
  }

  bareItem(): BareItem {
    const text = this.skip(/"(?:[\x20\x21\x23-\x5B\x5D-\x7E]|\\["\\])*"/y)
    if (text !== null) return text.slice(1, -1).replace(/\\(.)/g, '$1')
    const bytes = this.skip(/:[A-Za-z0-9+/]*={0,2}:/y)
    if (bytes !== null) return decodeBase64(bytes.slice(1, -1))
    const number = this.skip(/-?\d{1,15}(?![\d.])/y)
    if (number !== null) return Number(number)
    const truth = this.skip(/\?[01]/y)
    if (truth !== null) return truth === '?1'
    return { token: this.take(/[A-Za-z*][!#$%&'*+.^_`|~0-9A-Za-z:/-]*/y, 'a value') }
  }
}
