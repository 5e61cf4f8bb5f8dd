import { readName, readPixels, readTitle, readUrl } from './describe-page.ts'
import type { PageMetadata, Player } from './describe-page.ts'
import { FlatTagParser } from './tag-reader.ts'

/** Limit of the markup of a player. */
const MAX_HTML_LENGTH = 32_768

/**
 * Merges the oEmbed document (JSON) of a page into its metadata. Returns the metadata unchanged if the document is
 * unusable. Of the markup of a player, only the element and its URL are used. The type `rich` is ignored, because it is
 * arbitrary markup.
 */
export function readOEmbed(
  json: string,
  { metadata, url: base }: { metadata: PageMetadata; url: string },
): PageMetadata {
  let parsed: unknown
  try {
    parsed = JSON.parse(json)
  } catch {
    return metadata
  }
  if (typeof parsed !== 'object' || parsed === null) return metadata
  const oEmbed = parsed as Record<string, unknown>
  const url = (name: string) => readUrl(oEmbed[name], base)
  const type = oEmbed['type']
  if (type !== 'link' && type !== 'photo' && type !== 'video') return metadata

  const photo = type === 'photo' ? url('url') : null
  const player = type === 'video' ? readPlayer(oEmbed['html']) : null
  if ((type === 'photo' && photo === null) || (type === 'video' && player === null)) return metadata
  const author = { name: readName(oEmbed['author_name']), url: url('author_url') ?? '' }
  return {
    ...metadata,
    type,
    title: readTitle(oEmbed['title']) || metadata.title,
    authors: author.name === '' ? metadata.authors : [author],
    providerName: readName(oEmbed['provider_name']) || metadata.providerName,
    providerUrl: url('provider_url') ?? metadata.providerUrl,
    imageUrl: photo ?? url('thumbnail_url') ?? metadata.imageUrl,
    embedUrl: photo ?? '',
    player,
    width: type === 'link' ? 0 : readPixels(oEmbed['width']),
    height: type === 'link' ? 0 : readPixels(oEmbed['height']),
  }
}

/** Returns the player in some markup: the first iframe, video or audio element with an https URL. */
function readPlayer(html: unknown): Player | null {
  if (typeof html !== 'string') return null
  let player: Player | null = null
  let enclosing: Player['element'] | null = null
  const reader = new FlatTagParser({
    onopentag(name, { src }) {
      if (name === 'iframe' || name === 'video' || name === 'audio') enclosing = name
      if (
        player !== null ||
        enclosing === null ||
        (name !== enclosing && (name !== 'source' || enclosing === 'iframe'))
      )
        return
      const url = readUrl(src, 'https://nowhere.invalid/')
      if (url !== null && url.startsWith('https:') && !url.startsWith('https://nowhere.invalid/')) {
        player = { element: enclosing, url }
      }
    },
  })
  reader.end(html.slice(0, MAX_HTML_LENGTH))
  return player
}
