import type { Read } from '../domain/context.ts'
import { withParents } from '../domain/moderation/domain-blocks.ts'
import type { Account } from '../entities/account.ts'
import type { PreviewCard } from '../entities/card.ts'
// Under another name, because the formatter breaks lines in templates called `html`, and here every blank shows.
import { html as markup } from '../lib/html.ts'
import { toJson } from '../lib/json.ts'
import type { Json } from '../lib/json.ts'
import type { Config } from '../platform/config.ts'
import { statement } from '../platform/db/connect.ts'
import { renderAccountMap } from './accounts.ts'
import { fileUrl } from './media.ts'

/** A card as a row of statuses takes it along. */
export interface CardFacts {
  /** As the status has it. */
  url: string
  /** By which the page wants to be known: its site is that which names authors. */
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
  /** ISO 8601, as JSON has it. */
  published_at: string | null
  authors: CardAuthor[] | null
}

interface CardAuthor {
  name: string
  url: string
  account_id: string | null
}

/** What is kept of a card: all that does not depend on who its authors are, and who looks. */
export interface KeptCard {
  /** Without the closing brace. */
  body: string
  /** With their addresses as JSON. */
  authors: CardAuthor[]
  /** The domains for whose pages somebody may be named as an author of this one, the site's own first. */
  domains: string[]
}

/** People whom cards name as their authors. */
export interface CardPeople {
  accounts: Map<string, Json<Account>>
  /** Account id → the sites that may name them. */
  sites: Map<string, Set<string>>
}

/** The card of the status `s`, as a column with its `CardFacts`; null where it shows none. */
export const CARD_JSON = `(select jsonb_build_object('url', sl.url, 'page_url', c.url, 'type', c.type, 'title', c.title,
    'description', c.description, 'language', c.language, 'provider_name', c.provider_name,
    'provider_url', c.provider_url, 'embed_url', c.embed_url, 'player_element', c.player_element,
    'player_url', c.player_url, 'width', c.width, 'height', c.height, 'image_key', c.image_key,
    'image_width', c.image_width, 'image_height', c.image_height, 'image_description', c.image_description,
    'blurhash', c.blurhash, 'published_at', c.published_at,
    'authors', (select jsonb_agg(jsonb_build_object('name', author.name, 'url', author.url,
        'account_id', author.account_id::text) order by author.position)
      from preview_card_authors author where author.card_id = c.id))
  from status_links sl join preview_cards c on c.id = sl.card_id where sl.status_id = s.id)`

/** What a frame may do that is shown inside of a client: play, and open what is clicked on elsewhere. */
const SANDBOX = 'allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-forms'

export function keepCard(config: Config, facts: CardFacts): KeptCard {
  const isLink = facts.type === 'link'
  const authors = facts.authors ?? []
  const card: Omit<PreviewCard, 'authors' | 'missing_attribution'> = {
    url: facts.url,
    title: facts.title,
    description: facts.description,
    language: facts.language,
    type: facts.type,
    author_name: authors[0]?.name ?? '',
    author_url: authors[0]?.url ?? '',
    provider_name: facts.provider_name,
    provider_url: facts.provider_url,
    html: playerOf(facts),
    width: isLink ? facts.image_width : facts.width || facts.image_width,
    height: isLink ? facts.image_height : facts.height || facts.image_height,
    image: facts.image_key === null ? null : fileUrl(config, facts.image_key),
    image_description: facts.image_description,
    embed_url: facts.embed_url,
    blurhash: facts.blurhash,
    published_at: facts.published_at === null ? null : new Date(facts.published_at).toISOString(),
  }
  const domains = authors.some((author) => author.account_id !== null) ? withParents(new URL(facts.page_url).host) : []
  return { body: toJson(card).slice(0, -1), authors, domains }
}

/** Markup of our own making around the address of the player, whatever markup it came in. */
function playerOf({ player_element: element, player_url: url, width, height }: CardFacts): string {
  if (element === null || url === null) return ''
  if (element === 'video')
    return markup`<video src="${url}" width="${width}" height="${height}" controls></video>`.toString()
  if (element === 'audio') return markup`<audio src="${url}" controls></audio>`.toString()
  return markup`<iframe src="${url}" width="${width}" height="${height}" allowfullscreen sandbox="${SANDBOX}"></iframe>`.toString()
}

const findSites = statement<{ id: string; attribution_domains: string[] }>(
  `select id, attribution_domains from accounts where id = any($1::bigint[]) and suspended_at is null`,
)

/** Those whom these cards name; asks nothing where they name nobody, as nearly all. */
export async function findCardPeople(read: Read, { cards }: { cards: readonly KeptCard[] }): Promise<CardPeople> {
  const ids = [...new Set(cards.flatMap(({ authors }) => authors.flatMap((author) => author.account_id ?? [])))]
  if (ids.length === 0) return { accounts: new Map(), sites: new Map() }
  const [accounts, rows] = await Promise.all([renderAccountMap(read, { ids }), findSites(read.db, [ids])])
  return { accounts, sites: new Map(rows.map((row) => [row.id, new Set(row.attribution_domains)])) }
}

/**
 * A card as it is shown to a viewer, null = somebody unknown. An author is shown as a person of the network only if that
 * person says that the site may name them; whom it names although they do not, is told so.
 */
export function presentCard(
  card: KeptCard,
  { people, viewerId }: { people: CardPeople; viewerId: string | null },
): Json<PreviewCard> {
  const agrees = (id: string) => card.domains.some((domain) => people.sites.get(id)?.has(domain) === true)
  const authors = card.authors.map(({ name, url, account_id: id }) => {
    const account = id !== null && agrees(id) ? (people.accounts.get(id) ?? 'null') : 'null'
    return { name, account, text: `{"name":${toJson(name)},"url":${toJson(url)},"account":${account}}` }
  })
  const told = authors.filter(({ name, account }) => name !== '' || account !== 'null').map(({ text }) => text)
  const isMissed = card.authors.some(({ account_id: id }) => id !== null && id === viewerId && !agrees(id))
  const missing = viewerId === null ? '' : `,"missing_attribution":${isMissed}`
  return `${card.body},"authors":[${told.join()}]${missing}}` as Json<PreviewCard>
}
