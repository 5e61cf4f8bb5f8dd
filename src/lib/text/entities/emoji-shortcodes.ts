import { extractUrls } from './extract-entities.ts'

/** Matches the shortcode of a custom emoji in a text: between colons, not next to a letter, digit or further colon. */
export const EMOJI_SHORTCODE = /(?<![\p{L}\p{N}:]):([A-Za-z0-9_]{2,128}):(?![\p{L}\p{N}:])/gu

/** Returns whether a shortcode of a custom emoji is valid. */
export function isEmojiShortcode(code: string): boolean {
  return /^[A-Za-z0-9_]{2,128}$/.test(code)
}

/** Returns the shortcodes in plain texts, without colons and duplicates. Ignores those within URLs. */
export function findEmojiShortcodes(texts: readonly string[]): string[] {
  const codes = new Set<string>()
  for (const text of texts) {
    if (!text.includes(':')) continue
    for (const part of withoutUrls(text)) {
      for (const [, code] of part.matchAll(EMOJI_SHORTCODE)) codes.add(code!)
    }
  }
  return [...codes]
}

function withoutUrls(text: string): string[] {
  const parts: string[] = []
  let from = 0
  for (const { start, end } of extractUrls(text)) {
    parts.push(text.slice(from, start))
    from = end
  }
  return [...parts, text.slice(from)]
}
