import { decodeBase64, MalformedSignatureError } from './signature.ts'

/** A bare item (RFC 8941 §3.3): string, token, integer, byte sequence or boolean. Signatures use no decimals. */
export type BareItem = string | number | boolean | Buffer | Token

/** A token (RFC 8941 §3.3.4), to be distinguished from a string. */
interface Token {
  token: string
}

export interface Item {
  value: BareItem
  params: ReadonlyMap<string, BareItem>
}

export interface DictionaryMember {
  /** The items of an inner list `(…)`, or a single bare item. */
  value: BareItem | readonly Item[]
  params: ReadonlyMap<string, BareItem>
  /** The member exactly as received, without its key. */
  raw: string
}

const MAX_LENGTH = 16 * 1024
const MAX_MEMBERS = 16

/**
 * Parses a dictionary (RFC 8941 §3.2) with one additional rule: no key and no parameter may be repeated, since two
 * parsers could each use another one.
 * @throws MalformedSignatureError
 */
export function parseDictionary(text: string): Map<string, DictionaryMember> {
  if (text.length > MAX_LENGTH) throw new MalformedSignatureError('a header is too long')
  const reader = new FieldReader(text)
  const members = new Map<string, DictionaryMember>()
  reader.skip(/[ \t]*/y)
  while (!reader.done) {
    const key = reader.key()
    if (members.has(key)) throw new MalformedSignatureError(`${key} is repeated`)
    members.set(key, reader.member())
    if (members.size > MAX_MEMBERS) throw new MalformedSignatureError('too many members')
    reader.skip(/[ \t]*/y)
    if (reader.done) break
    reader.expect(/,[ \t]*/y, 'a comma')
    if (reader.done) throw new MalformedSignatureError('trailing comma')
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

  expect(pattern: RegExp, what: string): string {
    const found = this.skip(pattern)
    if (found === null) throw new MalformedSignatureError(`${what} is missing at ${this.at}`)
    return found
  }

  key(): string {
    return this.expect(/[a-z*][a-z0-9_.*-]*/y, 'a key')
  }

  member(): DictionaryMember {
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
    this.expect(/\( */y, 'a list')
    const items: Item[] = []
    while (this.skip(/\)/y) === null) {
      const value = this.bareItem()
      items.push({ value, params: this.params() })
      if (this.text[this.at] !== ')') this.expect(/ +/y, 'a space')
    }
    return items
  }

  params(): Map<string, BareItem> {
    const params = new Map<string, BareItem>()
    while (this.skip(/; */y) !== null) {
      const name = this.key()
      if (params.has(name)) throw new MalformedSignatureError(`${name} is repeated`)
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
    const boolean = this.skip(/\?[01]/y)
    if (boolean !== null) return boolean === '?1'
    return { token: this.expect(/[A-Za-z*][!#$%&'*+.^_`|~0-9A-Za-z:/-]*/y, 'a value') }
  }
}
