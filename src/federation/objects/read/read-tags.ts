import { cleanHashtag, normalizeHashtag } from '../../../lib/text/entities/normalize-hashtag.ts'
import type { WireObject } from '../../wire/normalize.ts'
import { dateOf, idOf, isOfType, lineOf, linksOf, objectOf, objectsOf } from '../../wire/read-values.ts'
import { LIMITS } from './limits.ts'

/** A custom emoji: an image that replaces `:shortcode:` in the texts of the same object. */
export interface ParsedEmoji {
  uri: string | null
  /** Without the colons. */
  shortcode: string
  imageUrl: string
  updatedAt: Date | null
}

export interface ParsedTags {
  /** The distinct ids of the mentioned actors. */
  mentions: string[]
  /** Normalised name → the name to display. */
  hashtags: Map<string, string>
  emojis: ParsedEmoji[]
}

const MENTION = new Set(['Mention'])
const HASHTAG = new Set(['Hashtag'])
const EMOJI = new Set(['Emoji'])

/** Reads the mentions, hashtags and custom emojis of a note or an actor. */
export function readTags(object: WireObject): ParsedTags {
  const mentions = new Set<string>()
  const hashtags = new Map<string, string>()
  const emojis = new Map<string, ParsedEmoji>()
  for (const tag of objectsOf(object['tag'], LIMITS.tags)) {
    if (isOfType(tag, MENTION)) {
      const id = idOf(tag['href'])
      if (id !== null) mentions.add(id)
    } else if (isOfType(tag, HASHTAG)) {
      const hashtag = readHashtag(tag)
      if (hashtag && !hashtags.has(hashtag.name)) hashtags.set(hashtag.name, hashtag.display)
    } else if (isOfType(tag, EMOJI)) {
      const emoji = readEmoji(tag)
      if (emoji && !emojis.has(emoji.shortcode)) emojis.set(emoji.shortcode, emoji)
    }
  }
  return { mentions: [...mentions], hashtags, emojis: [...emojis.values()] }
}

/** The normalised name of a hashtag, and the name as its author writes it. */
export interface ParsedHashtag {
  name: string
  display: string
}

/** Reads an object that may be a hashtag; null if it is something else, or if its name is invalid. */
export function readIfHashtag(object: WireObject): ParsedHashtag | null {
  return isOfType(object, HASHTAG) ? readHashtag(object) : null
}

/**
 * Reads a hashtag; null if its name is invalid. Tags of PeerTube and of forums may have spaces and punctuation, which
 * hashtags cannot have.
 */
function readHashtag(tag: WireObject): ParsedHashtag | null {
  const written = lineOf(tag['name'], LIMITS.field)?.replace(/^[#＃]\s*/, '') ?? ''
  const name = normalizeHashtag(written)
  return name === null ? null : { name, display: cleanHashtag(written, name) }
}

function readEmoji(tag: WireObject): ParsedEmoji | null {
  // A shortcode that is too long is invalid: if it were cut, it would be that of another emoji.
  const shortcode = /^:?(\w{1,2048}):?$/.exec(lineOf(tag['name'], LIMITS.shortcode + 3) ?? '')?.[1]
  const [image] = linksOf(objectOf(tag['icon'])?.['url'], 1)
  if (shortcode === undefined || !image) return null
  return { uri: idOf(tag), shortcode, imageUrl: image.url, updatedAt: dateOf(tag['updated']) }
}
