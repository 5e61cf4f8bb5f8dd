import { cleanText } from '../text/clean-text.ts'
import { BLOCKS, serializeAttributes, sanitizeHref, escapeText, type ElementAttributes } from './sanitize-rules.ts'

const MAX_DEPTH = 32

/** An element of the output. `isShown` is false for a link that became text: other tags within it are omitted. */
export type OpenElement = { name: string; isShown: boolean }

/**
 * Writes elements and text as HTML that a browser parses to the same tree: an element that an open element must not
 * contain closes that one first (a block in a paragraph, a link in a link, a list item in a list item).
 */
export class HtmlWriter {
  readonly #maxLength: number
  #out = ''
  readonly #open: OpenElement[] = []
  /** The length of the end tags of all open elements. */
  #reserved = 0
  #isFull = false
  /** The next text needs a space before it to separate words. */
  #needsSpace = false
  #isAfterSpace = true
  #isAtStartOfPre = false

  constructor(maxLength: number) {
    this.#maxLength = maxLength
  }

  /** Returns null if the element is omitted: no room, nested too deeply, or markup within a link that became text. */
  open(name: string, attributes: ElementAttributes): OpenElement | null {
    if (this.#isFull) return null
    const href = name === 'a' ? sanitizeHref(attributes['href']) : null
    this.#closeBefore(name)
    if (this.#open.length >= MAX_DEPTH || this.#open.some((mark) => !mark.isShown)) return null
    const mark = { name, isShown: name !== 'a' || href !== null }
    if (mark.isShown) {
      const end = `</${name}>`
      if (!this.#write(`<${name}${serializeAttributes(name, attributes, href)}>`, end.length)) return null
      this.#reserved += end.length
    }
    this.#open.push(mark)
    // An omitted tag changes nothing: the text within it still follows `<pre>`.
    if (mark.isShown) this.#isAtStartOfPre = name === 'pre'
    if (BLOCKS.has(name)) this.#startLine()
    return mark
  }

  /** Closes an element and those within it, if it is still open. */
  close(mark: OpenElement): void {
    const from = this.#open.lastIndexOf(mark)
    if (from === -1) return
    while (this.#open.length > from) {
      const { name, isShown } = this.#open.pop() as OpenElement
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
    // Browsers drop a line end after `<pre>`.
    if (this.#isAtStartOfPre) clean = clean.replace(/^\n+/, '')
    if (clean === '') return
    if (this.#needsSpace && !/^\s/.test(clean)) clean = ` ${clean}`
    const escaped = escapeText(clean)
    if (!this.#write(escaped, 0)) this.#out += this.#beginningOf(clean)
    this.#needsSpace = false
    this.#isAfterSpace = /\s$/.test(clean)
    this.#isAtStartOfPre = false
  }

  lineBreak(): void {
    if (this.#isFull) return
    this.#write('<br>', 0)
    this.#isAtStartOfPre = false
    this.#startLine()
  }

  /** Separates the words before and after by a space. */
  separate(): void {
    this.#needsSpace ||= !this.#isAfterSpace
  }

  end(): string {
    const [outermost] = this.#open
    if (outermost) this.close(outermost)
    return this.#out
  }

  #startLine(): void {
    this.#needsSpace = false
    this.#isAfterSpace = true
  }

  /** Closes the elements that a browser would close at this start tag. */
  #closeBefore(name: string): void {
    if (name === 'a') this.#closeLast((mark) => mark.name === 'a')
    if (name === 'rt' || name === 'rp') this.#closeRubyParts()
    if (!BLOCKS.has(name)) return
    this.#closeLast((mark) => mark.name === 'p')
    this.#closeLast((mark) => !mark.isShown)
    if (name !== 'li') return
    const enclosing = this.#open.findLast((mark) => ['li', 'ul', 'ol', 'pre', 'blockquote'].includes(mark.name))
    if (enclosing?.name === 'li') this.close(enclosing)
  }

  #closeLast(matches: (mark: OpenElement) => boolean): void {
    const found = this.#open.findLast(matches)
    if (found) this.close(found)
  }

  #closeRubyParts(): void {
    const inRuby = this.#open.some((mark) => mark.name === 'ruby')
    const ended = inRuby ? ['rt', 'rp', 'p', 'li'] : ['rt', 'rp']
    for (let top = this.#open.at(-1); top && ended.includes(top.name); top = this.#open.at(-1)) this.close(top)
  }

  /** Appends markup if it and `following` further characters fit. Otherwise the output is full. */
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
