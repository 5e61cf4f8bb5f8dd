import { extractHashtags } from '../../lib/text/extract.ts'

/** How a hashtag is called. */
export interface TagName {
  /** Under which it is stored and compared. */
  name: string
  /** As somebody wrote it. */
  display: string
}

/** Reads the name of a hashtag, without `#`. null for what a text could not have as one: blanks in it, only digits, … */
export function readTagName(typed: string): TagName | null {
  const [tag] = extractHashtags(`#${typed}`)
  return tag?.display === typed ? { name: tag.name, display: typed } : null
}
