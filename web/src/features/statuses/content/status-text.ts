/** Returns the HTML of a status as plain text with the line breaks of its paragraphs. */
export function textOf(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const lineBreak of body.querySelectorAll('br')) lineBreak.replaceWith('\n')
  for (const block of body.querySelectorAll('p, pre, blockquote, ul, ol')) block.append('\n\n')
  for (const item of body.querySelectorAll('li')) item.append('\n')
  return body.textContent.replaceAll(/\n{3,}/g, '\n\n').trim()
}

const MAX_EXCERPT_CHARACTERS = 240

/** Returns the beginning of the text of HTML. */
export function excerptOf(html: string): string {
  const text = textOf(html)
  return text.length > MAX_EXCERPT_CHARACTERS ? `${text.slice(0, MAX_EXCERPT_CHARACTERS)}…` : text
}
