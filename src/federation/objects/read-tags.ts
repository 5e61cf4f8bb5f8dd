import { normalizeTag } from '../../lib/text/normalizeTag.ts'
import type { WireObject } from '../wire/normalise.ts'
import { dateOf, idOf, isOfType, lineOf, linksOf, objectOf, objectsOf } from '../wire/read.ts'
import { LIMITS } from './limits.ts'

/** A picture that stands for `:shortcode:` in the texts beside it. */
export interface EmojiFacts {
  uri: string | null
  /** Without the colons. */
  shortcode: string
  imageUrl: string
  updatedAt: Date | null
}

export interface TagFacts {
  /** Who is mentioned: their ids, each once. */
  mentions: string[]
  /** Normalised name → the name as written, without `#`. */
  hashtags: Map<string, string>
  emojis: EmojiFacts[]
}

const MENTION = new Set(['Mention'])
const HASHTAG = new Set(['Hashtag'])
const EMOJI = new Set(['Emoji'])

/** What hangs on a note or on a profile, of the kinds that are known here. */
export function readTags(object: WireObject): TagFacts {
  const mentions = new Set<string>()
  const hashtags = new Map<string, string>()
  const emojis = new Map<string, EmojiFacts>()
  for (const tag of objectsOf(object['tag'], LIMITS.tags)) {
    if (isOfType(tag, MENTION)) {
      const id = idOf(tag['href'])
      if (id !== null) mentions.add(id)
    } else if (isOfType(tag, HASHTAG)) {
      const display = lineOf(tag['name'], LIMITS.field)?.replace(/^[#＃]\s*/, '') ?? ''
      const name = normalizeTag(display)
      if (name !== null && !hashtags.has(name)) hashtags.set(name, display)
    } else if (isOfType(tag, EMOJI)) {
      const emoji = readEmoji(tag)
      if (emoji && !emojis.has(emoji.shortcode)) emojis.set(emoji.shortcode, emoji)
    }
  }
  return { mentions: [...mentions], hashtags, emojis: [...emojis.values()] }
}

function readEmoji(tag: WireObject): EmojiFacts | null {
  // A name that is too long is none: cut, it would be another's.
  const shortcode = /^:?(\w{1,2048}):?$/.exec(lineOf(tag['name'], LIMITS.shortcode + 3) ?? '')?.[1]
  const [image] = linksOf(objectOf(tag['icon'])?.['url'], 1)
  if (shortcode === undefined || !image) return null
  return { uri: idOf(tag), shortcode, imageUrl: image.url, updatedAt: dateOf(tag['updated']) }
}
