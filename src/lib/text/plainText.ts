import { Parser } from 'htmlparser2'
import { cleanText } from './cleanText.ts'

// As much as sanitised HTML can have. The parser's cost grows with the square of the nesting.
const MAX_LENGTH = 32_768

const BLOCKS = new Set(['p', 'blockquote', 'pre', 'ul', 'ol', 'div', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'table'])
const LINES = new Set(['li', 'tr', 'td', 'th', 'dt', 'dd'])
const UNSEEN = new Set(['script', 'style', 'template', 'title', 'iframe', 'noscript', 'svg', 'math', 'object'])

/**
 * What a reader of some HTML would see, for search, notifications and letters: an empty line between paragraphs, a
 * line end for each break, entities decoded, the address of a shortened link in full. The fallback paragraph that
 * repeats a quoted post's address is left out. Only the first 32 Ki characters are read.
 */
export function plainText(html: string): string {
  let text = ''
  let chunks = ''
  /** Line ends owed before the next text. */
  let owed = 0
  let depth = 0
  let unseenFrom = Infinity
  let preformattedFrom = Infinity

  // The parser hands text over in crumbs; it is looked at once per tag.
  const write = (): void => {
    const chunk = cleanText(chunks)
    chunks = ''
    const line = preformattedFrom < Infinity ? chunk : chunk.replace(/[\t\n ]+/g, withoutLineEnds)
    const visible = owed > 0 || text === '' || text.endsWith('\n') ? line.replace(/^[\t\n ]+/, '') : line
    if (visible === '') return
    if (text !== '') text += '\n'.repeat(owed)
    owed = 0
    text += visible
  }
  const owe = (name: string): void => {
    owed = Math.max(owed, BLOCKS.has(name) ? 2 : LINES.has(name) ? 1 : 0)
  }

  const parser = new Parser({
    onopentag(name, attributes) {
      write()
      depth += 1
      if (UNSEEN.has(name) || attributes['class'] === 'quote-inline') unseenFrom = Math.min(unseenFrom, depth)
      if (name === 'pre') preformattedFrom = Math.min(preformattedFrom, depth)
      if (unseenFrom < Infinity) return
      if (name === 'br' && text !== '' && owed === 0) text += '\n'
      owe(name)
    },
    onclosetag(name) {
      write()
      if (unseenFrom === Infinity) owe(name)
      if (unseenFrom === depth) unseenFrom = Infinity
      if (preformattedFrom === depth) preformattedFrom = Infinity
      depth -= 1
    },
    ontext(chunk) {
      if (unseenFrom === Infinity) chunks += chunk
    },
  })
  parser.end(html.slice(0, MAX_LENGTH))
  write()
  return text.trim()
}

function withoutLineEnds(blanks: string): string {
  return blanks.includes('\n') ? ' ' : blanks
}
