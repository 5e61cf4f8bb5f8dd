import type { CachedRead } from '../../domain/context.ts'
import { withParents } from '../../domain/moderation/domain-blocks.ts'
import type { Account } from '../../entities/account.ts'
import type { PreviewCard, PreviewCardForViewer, PreviewCardShared } from '../../entities/card.ts'
import { createFragment, joinFragment } from '../../lib/entity-json.ts'
import type { Complete, EntityJson, Fragment } from '../../lib/entity-json.ts'
// Under another name, because the formatter breaks lines in templates called `html`, and here every blank shows.
import { html as markup } from '../../lib/html.ts'
import type { Config } from '../../platform/config.ts'
import { statement } from '../../platform/db/statement.ts'
import { renderAccountMap } from '../accounts/render-accounts.ts'
import { fileUrl } from '../media/render-media.ts'
import type { CardAuthor, CardRow } from './card-row.ts'

/** The part of a preview card that is equal for all viewers, and what the rest is made of. */
export interface CardRecord {
  shared: Fragment<PreviewCardShared>
  authors: CardAuthor[]
  /** The domains that an author may allow to attribute pages to them: the host of the page and its parents. */
  domains: string[]
}

/** The accounts that cards name as authors. */
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

/** Returns local markup around the URL of the player. The markup of the linked page is never passed on. */
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

/** Returns the accounts that these cards name. Most cards name none, which takes no query. */
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
 * Returns the other fields of a card for a viewer, null for anonymous. An author is shown as an account only if that
 * account allows the domain of the page to attribute pages to it. If the account is the viewer's own and does not,
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
