/** The word before the cursor that can be completed. `start` and `end` are its UTF-16 offsets, with its sign. */
export interface Token {
  type: 'mention' | 'hashtag' | 'emoji'
  /** Without the sign. */
  query: string
  start: number
  end: number
}

const PATTERNS: readonly [Token['type'], RegExp][] = [
  ['mention', /(?<![\p{L}\p{M}\p{Nd}\p{Pc}=/@])@([A-Za-z0-9_][A-Za-z0-9_.-]*(?:@[\p{L}\p{M}\p{Nd}.-]*)?)$/u],
  ['hashtag', /(?<=^|\s)[#＃]([\p{L}\p{M}\p{Nd}\p{Pc}·]+)$/u],
  // Names of Unicode emojis have letters of all languages, with underscores between their words.
  ['emoji', /(?<![\p{L}\p{M}\p{Nd}\p{Pc}:]):([\p{L}\p{M}\p{Nd}_]{2,})$/u],
]

/** Returns the mention, hashtag or emoji code that ends at the cursor, or null. */
export function findToken(text: string, cursor: number): Token | null {
  const before = text.slice(0, cursor)
  for (const [type, pattern] of PATTERNS) {
    const match = pattern.exec(before)
    if (match) return { type, query: match[1]!, start: match.index, end: cursor }
  }
  return null
}

/** Replaces a part of a text by a word with spaces around it. Returns the new text and the place after the word. */
export function insertWord(
  text: string,
  { start, end, word }: { start: number; end: number; word: string },
): { text: string; cursor: number } {
  const before = text.slice(0, start)
  const after = text.slice(end)
  const inserted = `${before === '' || /\s$/.test(before) ? '' : ' '}${word}${/^\s/.test(after) ? '' : ' '}`
  const cursor = before.length + inserted.length + (/^\s/.test(after) ? 1 : 0)
  return { text: before + inserted + after, cursor }
}

/** Replaces a part of a text. Returns the new text and the place after the inserted part. */
export function insertText(
  text: string,
  { start, end, word }: { start: number; end: number; word: string },
): { text: string; cursor: number } {
  return { text: text.slice(0, start) + word + text.slice(end), cursor: start + word.length }
}
