/** The preview card of a link in a status. */
export interface CardRow {
  /** The URL in the status. */
  url: string
  /** The canonical URL of the page, whose domain may attribute authors. */
  page_url: string
  type: 'link' | 'photo' | 'video'
  title: string
  description: string
  language: string | null
  provider_name: string
  provider_url: string
  embed_url: string
  player_element: 'iframe' | 'video' | 'audio' | null
  player_url: string | null
  width: number
  height: number
  image_key: string | null
  image_width: number
  image_height: number
  image_description: string
  blurhash: string | null
  /** ISO 8601. */
  published_at: string | null
  authors: CardAuthor[] | null
}

export interface CardAuthor {
  name: string
  url: string
  account_id: string | null
}

/** Returns an SQL expression with the `CardRow` of the card `c` as JSON. `url`: an expression for its `url`. */
export function cardJson(url: string): string {
  return `jsonb_build_object('url', ${url}, 'page_url', c.url, 'type', c.type, 'title', c.title,
    'description', c.description, 'language', c.language, 'provider_name', c.provider_name,
    'provider_url', c.provider_url, 'embed_url', c.embed_url, 'player_element', c.player_element,
    'player_url', c.player_url, 'width', c.width, 'height', c.height, 'image_key', c.image_key,
    'image_width', c.image_width, 'image_height', c.image_height, 'image_description', c.image_description,
    'blurhash', c.blurhash, 'published_at', c.published_at,
    'authors', (select jsonb_agg(jsonb_build_object('name', author.name, 'url', author.url,
        'account_id', author.account_id::text) order by author.position)
      from preview_card_authors author where author.card_id = c.id))`
}

/** Returns an SQL expression with the `CardRow` of a status as JSON; null for none. `s`: an alias of `statuses`. */
export function statusCardJson(s: string): string {
  return `(select ${cardJson('sl.url')}
  from status_preview_links sl join preview_cards c on c.id = sl.card_id where sl.status_id = ${s}.id)`
}
