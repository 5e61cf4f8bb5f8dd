/**
 * Counts the values in a JSON text, up to one more than the limit: the brackets and commas outside of strings. Parsing
 * takes far more time for values than for characters, and cannot be interrupted.
 */
export function countJsonValues(text: string, { max }: { max: number }): number {
  let count = 0
  let isString = false
  for (let i = 0; i < text.length; i += 1) {
    const character = text[i]
    if (isString && character === '\\') i += 1
    else if (character === '"') isString = !isString
    else if (!isString && (character === '[' || character === '{' || character === ',')) {
      if ((count += 1) > max) break
    }
  }
  return count
}
