import { Parser } from 'htmlparser2'
import { HtmlWriter, type OpenElement } from './html-writer.ts'
import { REMOVED_ELEMENTS, HEADINGS, ALLOWED_ELEMENTS, SEPARATORS, type ElementAttributes } from './sanitize-rules.ts'

/** Limit of the input and of the output, in UTF-16 code units. */
export const MAX_HTML_LENGTH = 32_768

/**
 * Sanitises untrusted HTML. Keeps known elements, attributes, classes and link schemes. Converts headings to bold
 * paragraphs and formulas to their TeX. Removes the tags of other elements, and scripts, styles and SVG with their
 * content.
 *
 * The output is nested as browsers nest it, so parsing it results in the same tree, and sanitising it again in the same
 * text. At most 32 Ki characters and 32 open elements; deeper tags are removed, longer text is truncated.
 */
export function sanitizeHtml(html: string): string {
  const writer = new HtmlWriter(MAX_HTML_LENGTH)
  const handler = new SanitizingHandler(writer)
  const parser = new Parser({
    onopentag: (name, attributes, isImplied) => handler.open(name, attributes, isImplied),
    onclosetag: (name) => handler.close(name),
    ontext: (text) => handler.text(text),
  })
  parser.end(truncateHtml(html))
  return writer.end()
}

/** Truncates HTML without splitting a tag, an entity or a character. */
function truncateHtml(html: string): string {
  if (html.length <= MAX_HTML_LENGTH) return html
  const start = html.slice(0, MAX_HTML_LENGTH).replace(/(?:&#?\w{0,32}|[\ud800-\udbff])$/, '')
  const tag = start.lastIndexOf('<')
  return tag > start.lastIndexOf('>') ? start.slice(0, tag) : start
}

/** The annotations of a formula as TeX and plain text, and its visible content. */
type MathFormula = { isBlock: boolean; tex: string; plain: string; shown: string; reading: 'tex' | 'plain' | 'shown' }

/** Handles the events of the parser, which are balanced: each start tag has an end tag, in order. */
class SanitizingHandler {
  readonly #writer: HtmlWriter
  /** The output element of each open element of the parser. */
  readonly #open: (OpenElement | null)[] = []
  #droppedFrom = Infinity
  #formulaFrom = Infinity
  #formula: MathFormula | null = null

  constructor(writer: HtmlWriter) {
    this.#writer = writer
  }

  open(name: string, attributes: ElementAttributes, isImplied: boolean): void {
    const isStray = isImplied && name !== 'br'
    this.#open.push(this.#droppedFrom < Infinity || isStray ? null : this.#start(name, attributes))
  }

  close(name: string): void {
    const depth = this.#open.length
    const mark = this.#open.pop()
    if (mark) this.#writer.close(mark)
    if (this.#droppedFrom === depth) this.#droppedFrom = Infinity
    if (this.#formulaFrom === depth) this.#endFormula()
    if (this.#formula) this.#formula.reading = 'shown'
    else if (SEPARATORS.has(name)) this.#writer.separate()
  }

  text(text: string): void {
    if (this.#droppedFrom < Infinity) return
    if (this.#formula) this.#formula[this.#formula.reading] += text
    else this.#writer.text(text)
  }

  #start(name: string, attributes: ElementAttributes): OpenElement | null {
    const depth = this.#open.length + 1
    if (REMOVED_ELEMENTS.has(name)) {
      this.#droppedFrom = depth
      return null
    }
    if (this.#formula) {
      if (!endsFormula(name)) {
        if (name === 'annotation') this.#formula.reading = notationOf(attributes['encoding'])
        return null
      }
      this.#endFormula()
    }
    if (name === 'math') {
      this.#formulaFrom = depth
      this.#formula = { isBlock: attributes['display'] === 'block', tex: '', plain: '', shown: '', reading: 'shown' }
    }
    if (SEPARATORS.has(name)) this.#writer.separate()
    if (name === 'br') this.#writer.lineBreak()
    else if (ALLOWED_ELEMENTS.has(name)) return this.#writer.open(name, attributes)
    if (!HEADINGS.has(name)) return null
    const paragraph = this.#writer.open('p', attributes)
    this.#writer.open('strong', {})
    return paragraph
  }

  #endFormula(): void {
    if (!this.#formula) return
    const { isBlock, tex, plain, shown } = this.#formula
    this.#formula = null
    this.#formulaFrom = Infinity
    const fence = isBlock ? '$$' : '$'
    const text = tex.trim() === '' ? plain.trim() || shown.trim() : `${fence}${tex.trim()}${fence}`
    this.#writer.text(text)
  }
}

/** Returns whether browsers interpret a tag within `<math>` as the end of the formula. */
function endsFormula(name: string): boolean {
  return (ALLOWED_ELEMENTS.has(name) && name !== 'a') || HEADINGS.has(name) || SEPARATORS.has(name)
}

function notationOf(encoding: string | undefined): MathFormula['reading'] {
  if (encoding === 'application/x-tex') return 'tex'
  return encoding === 'text/plain' ? 'plain' : 'shown'
}
