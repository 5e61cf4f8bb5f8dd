import { extractHashtags } from '../../lib/text/entities/extract-entities.ts'
import { MAX_TAG_LENGTH } from '../../lib/text/entities/normalize-hashtag.ts'

/** The name of a hashtag, without `#`. */
export interface TagName {
  /** The normalised name, which is stored and compared. */
  name: string
  /** The name as written by the author. */
  displayName: string
}

/**
 * Parses the name of a hashtag, without `#`. Returns null for invalid names, such as those with spaces or only digits.
 */
export function parseTagName(input: string): TagName | null {
  if (input.length > MAX_TAG_LENGTH) return null
  const [tag] = extractHashtags(`#${input}`)
  return tag?.display === input ? { name: tag.name, displayName: input } : null
}
