import { cleanText } from './cleanText.ts'
import { BLOCKS, cleanAttributes, cleanHref, escapeText, type Attributes } from './sanitizeRules.ts'

const MAX_DEPTH = 32

/** An element of the output. `isShown` is false for a link that became text: it only keeps other tags out of it. */
export type Mark = { name: string; isShown: boolean }

/**
 * Writes elements and text as HTML that a browser reads back as the same tree: what cannot stand inside an open
 * element closes it first, so a paragraph never holds a block, a link no link, a list item no list item.
 */
export class CleanWriter {
  readonly #maxLength: number
  #out = ''
  readonly #open: Mark[] = []
  /** What the open elements' end tags will take. */
  #reserved = 0
  #isFull = false
  /** Words on both sides of this place would run together, but should not. */
  #wantsSpace = false
  #isAfterSpace = true
  #isAtStartOfPre = false

  constructor(maxLength: number) {
    this.#maxLength = maxLength
  }

  /** @returns null where the element is left out: no room, too deep, or markup within a link that became text. */
  open(name: string, attributes: Attributes): Mark | null {
    if (this.#isFull) return null
    const href = name === 'a' ? cleanHref(attributes['href']) : null
    this.#makeWayFor(name)
    if (this.#open.length >= MAX_DEPTH || this.#open.some((mark) => !mark.isShown)) return null
    const mark = { name, isShown: name !== 'a' || href !== null }
    if (mark.isShown) {
      const end = `</${name}>`
      if (!this.#write(`<${name}${cleanAttributes(name, attributes, href)}>`, end.length)) return null
      this.#reserved += end.length
    }
    this.#open.push(mark)
    this.#isAtStartOfPre = name === 'pre'
    if (BLOCKS.has(name)) this.#startLine()
    return mark
  }

  /** Closes the element, if it is still open, and those within it. */
  close(mark: Mark): void {
    const from = this.#open.lastIndexOf(mark)
    if (from === -1) return
    while (this.#open.length > from) {
      const { name, isShown } = this.#open.pop() as Mark
      if (!isShown) continue
      const end = `</${name}>`
      this.#reserved -= end.length
      this.#out += end
      this.#isAtStartOfPre = false
      if (BLOCKS.has(name)) this.#startLine()
    }
  }

  text(text: string): void {
    if (this.#isFull) return
    let clean = cleanText(text)
    // A browser drops a line end that follows `<pre>`.
    if (this.#isAtStartOfPre) clean = clean.replace(/^\n+/, '')
    if (clean === '') return
    if (this.#wantsSpace && !/^\s/.test(clean)) clean = ` ${clean}`
    const escaped = escapeText(clean)
    if (!this.#write(escaped, 0)) this.#out += this.#beginningOf(clean)
    this.#wantsSpace = false
    this.#isAfterSpace = /\s$/.test(clean)
    this.#isAtStartOfPre = false
  }

  lineBreak(): void {
    if (this.#isFull) return
    this.#write('<br>', 0)
    this.#isAtStartOfPre = false
    this.#startLine()
  }

  /** Keeps the words before and after apart. */
  separate(): void {
    this.#wantsSpace ||= !this.#isAfterSpace
  }

  end(): string {
    const [outermost] = this.#open
    if (outermost) this.close(outermost)
    return this.#out
  }

  #startLine(): void {
    this.#wantsSpace = false
    this.#isAfterSpace = true
  }

  /** Closes what a browser would close on seeing the start tag. */
  #makeWayFor(name: string): void {
    if (name === 'a') this.#closeLast((mark) => mark.name === 'a')
    if (name === 'rt' || name === 'rp') this.#closeRubyParts()
    if (!BLOCKS.has(name)) return
    this.#closeLast((mark) => mark.name === 'p')
    this.#closeLast((mark) => !mark.isShown)
    if (name !== 'li') return
    const enclosing = this.#open.findLast((mark) => ['li', 'ul', 'ol', 'pre', 'blockquote'].includes(mark.name))
    if (enclosing?.name === 'li') this.close(enclosing)
  }

  #closeLast(matches: (mark: Mark) => boolean): void {
    const found = this.#open.findLast(matches)
    if (found) this.close(found)
  }

  #closeRubyParts(): void {
    const inRuby = this.#open.some((mark) => mark.name === 'ruby')
    const ended = inRuby ? ['rt', 'rp', 'p', 'li'] : ['rt', 'rp']
    for (let top = this.#open.at(-1); top && ended.includes(top.name); top = this.#open.at(-1)) this.close(top)
  }

  /** Appends, unless that and `following` more would be too long: then nothing is taken any more. */
  #write(markup: string, following: number): boolean {
    this.#isFull = markup.length + following > this.#room()
    if (!this.#isFull) this.#out += markup
    return !this.#isFull
  }

  #room(): number {
    return this.#maxLength - this.#out.length - this.#reserved
  }

  #beginningOf(text: string): string {
    const room = this.#room()
    let beginning = ''
    for (const char of text) {
      const escaped = escapeText(char)
      if (beginning.length + escaped.length > room) break
      beginning += escaped
    }
    return beginning
  }
}
