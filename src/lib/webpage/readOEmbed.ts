import { readName, readSide, readTitle, readUrl } from './describePage.ts'
import type { PageFacts, Player } from './describePage.ts'
import { TagReader } from './tagReader.ts'

/** Of the markup of a player. */
const MAX_HTML_LENGTH = 32_768

/**
 * A page as it is told by oEmbed (JSON), laid over what it says itself; the facts as they were where that is nothing to
 * go by. Of a player's markup nothing is kept but which element it is and what that loads. Whatever is called `rich` is
 * markup of any kind, and not taken.
 */
export function readOEmbed(json: string, { facts, url: base }: { facts: PageFacts; url: string }): PageFacts {
  let said: unknown
  try {
    said = JSON.parse(json)
  } catch {
    return facts
  }
  if (typeof said !== 'object' || said === null) return facts
  const told = said as Record<string, unknown>
  const url = (name: string) => readUrl(told[name], base)
  const type = told['type']
  if (type !== 'link' && type !== 'photo' && type !== 'video') return facts

  const photo = type === 'photo' ? url('url') : null
  const player = type === 'video' ? readPlayer(told['html']) : null
  if ((type === 'photo' && photo === null) || (type === 'video' && player === null)) return facts
  const author = { name: readName(told['author_name']), url: url('author_url') ?? '' }
  return {
    ...facts,
    type,
    title: readTitle(told['title']) || facts.title,
    authors: author.name === '' ? facts.authors : [author],
    providerName: readName(told['provider_name']) || facts.providerName,
    providerUrl: url('provider_url') ?? facts.providerUrl,
    imageUrl: photo ?? url('thumbnail_url') ?? facts.imageUrl,
    embedUrl: photo ?? '',
    player,
    width: type === 'link' ? 0 : readSide(told['width']),
    height: type === 'link' ? 0 : readSide(told['height']),
  }
}

/** What a player's markup would load: the first frame, video or sound in it that has an https address. */
function readPlayer(html: unknown): Player | null {
  if (typeof html !== 'string') return null
  let player: Player | null = null
  let around: Player['element'] | null = null
  const reader = new TagReader({
    onopentag(name, { src }) {
      if (name === 'iframe' || name === 'video' || name === 'audio') around = name
      if (player !== null || around === null || (name !== around && (name !== 'source' || around === 'iframe'))) return
      const url = readUrl(src, 'https://nowhere.invalid/')
      if (url !== null && url.startsWith('https:') && !url.startsWith('https://nowhere.invalid/')) {
        player = { element: around, url }
      }
    },
  })
  reader.end(html.slice(0, MAX_HTML_LENGTH))
  return player
}
