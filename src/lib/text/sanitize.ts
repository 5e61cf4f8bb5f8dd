import { Parser } from 'htmlparser2'
import { CleanWriter, type Mark } from './cleanWriter.ts'
import { DROPPED, HEADINGS, KEPT, SEPARATORS, type Attributes } from './sanitizeRules.ts'

/** The most that is read, and the most that comes out, in UTF-16 units. */
export const MAX_HTML_LENGTH = 32_768

/**
 * HTML from elsewhere, made safe to put into a page: known elements, attributes, classes and link schemes stay,
 * headings become bold paragraphs, formulas their TeX, the rest loses its tags; scripts, styles and drawings go with
 * all they hold.
 *
 * What comes out is nested as browsers nest it, so reading it again gives the same tree, and cleaning it again the
 * same text. At most 32 Ki characters and 32 open elements; deeper tags are dropped, longer text is cut.
 */
export function sanitizeHtml(html: string): string {
  const writer = new CleanWriter(MAX_HTML_LENGTH)
  const reader = new Reader(writer)
  const parser = new Parser({
    onopentag: (name, attributes, isImplied) => reader.open(name, attributes, isImplied),
    onclosetag: (name) => reader.close(name),
    ontext: (text) => reader.text(text),
  })
  parser.end(cut(html))
  return writer.end()
}

/** The beginning of over-long HTML, not ending within a tag, an entity or a character. */
function cut(html: string): string {
  if (html.length <= MAX_HTML_LENGTH) return html
  const start = html.slice(0, MAX_HTML_LENGTH).replace(/(?:&#?\w{0,32}|[\ud800-\udbff])$/, '')
  const tag = start.lastIndexOf('<')
  return tag > start.lastIndexOf('>') ? start.slice(0, tag) : start
}

/** TeX and plain text as annotated, and what the formula itself shows. */
type Formula = { isBlock: boolean; tex: string; plain: string; shown: string; reading: 'tex' | 'plain' | 'shown' }

/** Takes the parser's events, which are balanced: every start has one end, and ends come in order. */
class Reader {
  readonly #writer: CleanWriter
  /** For each element the parser has open, what stands for it in the output. */
  readonly #open: (Mark | null)[] = []
  #droppedFrom = Infinity
  #formulaFrom = Infinity
  #formula: Formula | null = null

  constructor(writer: CleanWriter) {
    this.#writer = writer
  }

  open(name: string, attributes: Attributes, isImplied: boolean): void {
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

  #start(name: string, attributes: Attributes): Mark | null {
    const depth = this.#open.length + 1
    if (DROPPED.has(name)) {
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
    else if (KEPT.has(name)) return this.#writer.open(name, attributes)
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

/** Whether a tag within `<math>` means that the formula's end tag is missing, as browsers take it. */
function endsFormula(name: string): boolean {
  return (KEPT.has(name) && name !== 'a') || HEADINGS.has(name) || SEPARATORS.has(name)
}

function notationOf(encoding: string | undefined): Formula['reading'] {
  if (encoding === 'application/x-tex') return 'tex'
  return encoding === 'text/plain' ? 'plain' : 'shown'
}
