import { Parser } from 'htmlparser2'
import { cleanText } from '../text/clean-text.ts'

// The maximum length of sanitised HTML. Limited, because the parser's time grows with the square of the nesting.
const MAX_LENGTH = 32_768

const BLOCKS = new Set(['p', 'blockquote', 'pre', 'ul', 'ol', 'div', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'table'])
const LINES = new Set(['li', 'tr', 'td', 'th', 'dt', 'dd'])
const INVISIBLE_ELEMENTS = new Set([
  'script',
  'style',
  'template',
  'title',
  'iframe',
  'noscript',
  'svg',
  'math',
  'object',
])

/**
 * Converts HTML to plain text, for search, notifications and mails: an empty line between paragraphs, a line end for
 * each break, decoded entities, complete URLs of shortened links. Omits the fallback with the URL of a quoted
 * status. Only the first 32 Ki characters are read.
 */
export function htmlToPlainText(html: string): string {
  let text = ''
  let chunks = ''
  /** Line ends to write before the next text. */
  let pendingLineBreaks = 0
  let depth = 0
  let hiddenFrom = Infinity
  let preformattedFrom = Infinity

  // The parser emits text in small chunks, which are processed once per tag.
  const write = (): void => {
    const chunk = cleanText(chunks)
    chunks = ''
    const line = preformattedFrom < Infinity ? chunk : chunk.replace(/[\t\n ]+/g, withoutLineEnds)
    const visible = pendingLineBreaks > 0 || text === '' || text.endsWith('\n') ? line.replace(/^[\t\n ]+/, '') : line
    if (visible === '') return
    if (text !== '') text += '\n'.repeat(pendingLineBreaks)
    pendingLineBreaks = 0
    text += visible
  }
  const requireLineBreaks = (name: string): void => {
    pendingLineBreaks = Math.max(pendingLineBreaks, BLOCKS.has(name) ? 2 : LINES.has(name) ? 1 : 0)
  }

  const parser = new Parser({
    onopentag(name, attributes) {
      write()
      depth += 1
      if (INVISIBLE_ELEMENTS.has(name) || attributes['class']?.split(' ').includes('quote-inline'))
        hiddenFrom = Math.min(hiddenFrom, depth)
      if (name === 'pre') preformattedFrom = Math.min(preformattedFrom, depth)
      if (hiddenFrom < Infinity) return
      if (name === 'br' && text !== '' && pendingLineBreaks === 0) text += '\n'
      requireLineBreaks(name)
    },
    onclosetag(name) {
      write()
      if (hiddenFrom === Infinity) requireLineBreaks(name)
      if (hiddenFrom === depth) hiddenFrom = Infinity
      if (preformattedFrom === depth) preformattedFrom = Infinity
      depth -= 1
    },
    ontext(chunk) {
      if (hiddenFrom === Infinity) chunks += chunk
    },
  })
  parser.end(html.slice(0, MAX_LENGTH))
  write()
  return text.trim()
}

function withoutLineEnds(blanks: string): string {
  return blanks.includes('\n') ? ' ' : blanks
}
