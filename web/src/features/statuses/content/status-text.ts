/** The class of the link to a quoted status, for clients that do not show quotes. It is in a paragraph or a span. */
export const QUOTE_LINK_CLASS = 'quote-inline'

/** Returns the HTML of a status as plain text with the line breaks of its paragraphs, without elements of a class. */
export function textOf(html: string, omittedClass?: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  if (omittedClass !== undefined) for (const element of body.querySelectorAll(`.${omittedClass}`)) element.remove()
  for (const lineBreak of body.querySelectorAll('br')) lineBreak.replaceWith('\n')
  for (const block of body.querySelectorAll('p, pre, blockquote, ul, ol')) block.append('\n\n')
  for (const item of body.querySelectorAll('li')) item.append('\n')
  return body.textContent.replaceAll(/\n{3,}/g, '\n\n').trim()
}

const MAX_EXCERPT_CHARACTERS = 240

/** Returns the beginning of the text of HTML, without elements of a class. */
export function excerptOf(html: string, omittedClass?: string): string {
  const text = textOf(html, omittedClass)
  return text.length > MAX_EXCERPT_CHARACTERS ? `${text.slice(0, MAX_EXCERPT_CHARACTERS)}…` : text
}
