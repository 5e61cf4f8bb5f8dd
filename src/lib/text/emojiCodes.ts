import { extractUrls } from './extract.ts'

/** The codes of custom emojis as they stand in a text: between colons, beside no letter, digit or further colon. */
export const EMOJI_CODE = /(?<![\p{L}\p{N}:]):([A-Za-z0-9_]{2,128}):(?![\p{L}\p{N}:])/gu

/** Whether a custom emoji may be called so. */
export function isEmojiCode(code: string): boolean {
  return /^[A-Za-z0-9_]{2,128}$/.test(code)
}

/** The codes that stand in plain texts, without their colons, each once. Within an address they are no emojis. */
export function findEmojiCodes(texts: readonly string[]): string[] {
  const codes = new Set<string>()
  for (const text of texts) {
    if (!text.includes(':')) continue
    for (const part of withoutUrls(text)) {
      for (const [, code] of part.matchAll(EMOJI_CODE)) codes.add(code!)
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
