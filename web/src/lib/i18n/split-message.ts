/** Stands in a message for an element. Unicode: OBJECT REPLACEMENT CHARACTER. */
export const PLACE = '\uFFFC'

/** Returns the text before and after the place of an element, which depends on the language. */
export function splitAtPlace(text: string): [before: string, after: string] {
  const index = text.indexOf(PLACE)
  return index === -1 ? [text, ''] : [text.slice(0, index), text.slice(index + PLACE.length)]
}
