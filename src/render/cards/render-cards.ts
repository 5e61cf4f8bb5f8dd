import type { CachedRead } from '../../domain/context.ts'
import { withParents } from '../../domain/domain-blocks/find-domain-block.ts'
import type { Account } from '../../entities/accounts/account.ts'
import type { PreviewCard, PreviewCardForViewer, PreviewCardShared } from '../../entities/statuses/card.ts'
import { createFragment, joinFragment } from '../../lib/json/fragment.ts'
import type { Complete } from '../../lib/json/entity-json.ts'
import type { Fragment } from '../../lib/json/fragment.ts'
import type { EntityJson } from '../../lib/json/json-content.ts'
// Imported under another name: the code formatter adds line breaks to `html` templates, and here white space matters.
import { html as markup } from '../../lib/html/html.ts'
import type { Config } from '../../platform/config/config.ts'
import { statement } from '../../platform/db/statement.ts'
import { renderAccountMap } from '../accounts/render-accounts.ts'
import { fileUrl } from '../media/render-media.ts'
import type { CardAuthor, CardRow } from './card-row.ts'

/** The part of a preview card that is equal for all viewers, and the data of the other part. */
export interface CardRecord {
  shared: Fragment<PreviewCardShared>
  authors: CardAuthor[]
  /** The domains that an author's `attribution_domains` may contain for this page: its host and the parent domains. */
  domains: string[]
}

/** The accounts of the authors of cards. */
export interface CardAccounts {
  accounts: Map<string, EntityJson<Account>>
  /** The domains that may attribute pages to an account, by account id. */
  attributionDomains: Map<string, Set<string>>
}

/** What an embedded player may do: play, and open links in new windows. */
const SANDBOX = 'allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-forms'

export function createCardRecord(config: Config, row: CardRow): CardRecord {
  const isLink = row.type === 'link'
  const authors = row.authors ?? []
  const shared = createFragment<PreviewCardShared>({
    url: row.url,
    title: row.title,
    description: row.description,
    language: row.language,
    type: row.type,
    author_name: authors[0]?.name ?? '',
    author_url: authors[0]?.url ?? '',
    provider_name: row.provider_name,
    provider_url: row.provider_url,
    html: playerOf(row),
    width: isLink ? row.image_width : row.width || row.image_width,
    height: isLink ? row.image_height : row.height || row.image_height,
    image: row.image_key === null ? null : fileUrl(config, row.image_key),
    image_description: row.image_description,
    embed_url: row.embed_url,
    blurhash: row.blurhash,
    published_at: row.published_at === null ? null : new Date(row.published_at).toISOString(),
  })
  const domains = authors.some((author) => author.account_id !== null) ? withParents(new URL(row.page_url).host) : []
  return { shared, authors, domains }
}

/** Returns HTML of this server for the URL of the player. The HTML of the linked page is never used. */
function playerOf({ player_element: element, player_url: url, width, height }: CardRow): string {
  if (element === null || url === null) return ''
  if (element === 'video')
    return markup`<video src="${url}" width="${width}" height="${height}" controls></video>`.toString()
  if (element === 'audio') return markup`<audio src="${url}" controls></audio>`.toString()
  return markup`<iframe src="${url}" width="${width}" height="${height}" allowfullscreen sandbox="${SANDBOX}"></iframe>`.toString()
}

const selectAttributionDomains = statement<{
  params: { ids: readonly string[] }
  row: { id: string; attribution_domains: string[] }
}>(`select id, attribution_domains from accounts where id = any($ids::bigint[]) and suspended_at is null`)

/** Returns the accounts of the authors of these cards. Needs no query if the cards have none, like most. */
export async function findCardAccounts(
  read: CachedRead,
  { cards }: { cards: readonly CardRecord[] },
): Promise<CardAccounts> {
  const ids = [...new Set(cards.flatMap(({ authors }) => authors.flatMap((author) => author.account_id ?? [])))]
  if (ids.length === 0) return { accounts: new Map(), attributionDomains: new Map() }
  const [accounts, rows] = await Promise.all([
    renderAccountMap(read, { ids }),
    selectAttributionDomains(read.db, { ids }),
  ])
  return {
    accounts,
    attributionDomains: new Map(rows.map((row) => [row.id, new Set(row.attribution_domains)])),
  }
}

export function renderCard(
  card: CardRecord,
  viewing: { cardAccounts: CardAccounts; viewerId: string | null },
): EntityJson<PreviewCard> {
  return joinFragment<PreviewCard, PreviewCardShared>(card.shared, cardForViewer(card, viewing))
}

/**
 * Returns the other fields of a card for a viewer, null for anonymous. An author has an account only if that account
 * allows the domain of the page to attribute pages to it. If the viewer is an author who does not allow it,
 * `missing_attribution` is true.
 */
export function cardForViewer(
  { authors, domains }: CardRecord,
  { cardAccounts, viewerId }: { cardAccounts: CardAccounts; viewerId: string | null },
): Complete<PreviewCardForViewer> {
  const { accounts, attributionDomains } = cardAccounts
  const allows = (id: string) => domains.some((domain) => attributionDomains.get(id)?.has(domain) === true)
  const isMissing = () => authors.some(({ account_id: id }) => id !== null && id === viewerId && !allows(id))
  return {
    authors: authors
      .map(({ name, url, account_id: id }) => ({
        name,
        url,
        account: id !== null && allows(id) ? (accounts.get(id) ?? null) : null,
      }))
      .filter(({ name, account }) => name !== '' || account !== null),
    missing_attribution: viewerId === null ? undefined : isMissing(),
  }
}
