import type { Read } from '../domain/context.ts'
import { withParents } from '../domain/moderation/domain-blocks.ts'
import type { Account } from '../entities/account.ts'
import type { PreviewCard } from '../entities/card.ts'
// Under another name, because the formatter breaks lines in templates called `html`, and here every blank shows.
import { html as markup } from '../lib/html.ts'
import { toJson } from '../lib/json.ts'
import type { Json } from '../lib/json.ts'
import type { Config } from '../platform/config.ts'
import type { Moment } from '../platform/db/changes.ts'
import { statement } from '../platform/db/connect.ts'
import { renderAccountMap } from './accounts.ts'
import type { CardAuthor, CardFacts } from './card-facts.ts'
import { fileUrl } from './media.ts'

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
export async function findCardPeople(
  read: Read,
  { cards, asOf }: { cards: readonly KeptCard[]; asOf?: Moment | undefined },
): Promise<CardPeople> {
  const ids = [...new Set(cards.flatMap(({ authors }) => authors.flatMap((author) => author.account_id ?? [])))]
  if (ids.length === 0) return { accounts: new Map(), sites: new Map() }
  const [accounts, rows] = await Promise.all([renderAccountMap(read, { ids, asOf }), findSites(read.db, [ids])])
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
