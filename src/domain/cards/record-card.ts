import { isDeepStrictEqual } from 'node:util'
import type { PageMetadata } from '../../lib/webpage/describe-page.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { FETCH_LEASE_HOURS } from './link-status.ts'
import type { CardImage } from './store-card-image.ts'

/** How long a card is considered fresh. A page whose image could not be fetched is fetched again sooner. */
const FRESH_HOURS = 14 * 24

/** The columns of `preview_cards` with the metadata of a page. */
interface Card {
  type: PageMetadata['type']
  title: string
  description: string
  language: string | null
  provider_name: string
  provider_url: string
  embed_url: string
  player_element: string | null
  player_url: string | null
  width: number
  height: number
  image_url: string | null
  image_key: string | null
  image_width: number
  image_height: number
  image_description: string
  blurhash: string | null
  published_at: Date | null
}

interface Author {
  name: string
  url: string
  account_id: string | null
}

const COLUMNS = [
  'type',
  'title',
  'description',
  'language',
  'provider_name',
  'provider_url',
  'embed_url',
  'player_element',
  'player_url',
  'width',
  'height',
  'image_url',
  'image_key',
  'image_width',
  'image_height',
  'image_description',
  'blurhash',
  'published_at',
] as const satisfies readonly (keyof Card)[]

const lockLink = statement<{ params: { linkId: string } }>(`select from preview_links where id = $linkId for key share`)
const lockCard = statement<{ params: { url: string }; row: Card & { id: string } }>(
  `select id, ${COLUMNS.join(', ')} from preview_cards where url = $url for no key update`,
)
const insert = statement<{ params: { url: string; now: Date }; row: { id: string } }>(
  `insert into preview_cards (url, created_at, title, type) values ($url, $now, '', 'link') on conflict (url) do nothing
   returning id`,
)
const update = statement<{ params: Card & { cardId: string } }>(
  `update preview_cards set ${COLUMNS.map((name) => `${name} = $${name}`).join(', ')} where id = $cardId`,
)
const findAuthors = statement<{ params: { cardId: string }; row: Author }>(
  `select name, url, account_id from preview_card_authors where card_id = $cardId order by position`,
)
const removeAuthors = statement<{ params: { cardId: string } }>(
  `delete from preview_card_authors where card_id = $cardId`,
)
const insertAuthors = statement<{
  params: {
    cardId: string
    names: readonly string[]
    urls: readonly string[]
    accountIds: readonly (string | null)[]
  }
}>(
  `insert into preview_card_authors (card_id, position, name, url, account_id)
   select $cardId::bigint, place, name, url, account_id
   from unnest($names::text[], $urls::text[], $accountIds::bigint[]) with ordinality as author (name, url, account_id, place)`,
)
const setLinkCard = statement<{ params: { linkId: string; cardId: string; now: Date; refetchHours: number } }>(
  `update preview_links set card_id = $cardId, due_at = $now::timestamptz + make_interval(hours => $refetchHours::int)
    where id = $linkId`,
)

/**
 * Records the metadata of a fetched page as its card, and sets the card of the link; several links may lead to the same
 * card. Emits `card.updated` if the card changed, and `link.fetched`, so that the statuses with the link show it.
 */
export async function recordCard(
  tx: Tx,
  {
    linkId,
    facts,
    creatorIds,
    image,
  }: {
    linkId: string
    facts: PageMetadata
    /** The accounts that the page names as its authors, in the order of its authors; null for an unknown account. */
    creatorIds: readonly (string | null)[]
    image: CardImage | null
  },
): Promise<void> {
  if ((await lockLink(tx.db, { linkId })).length === 0) {
    if (image) tx.emit('media.removed', { mediaKeys: [image.key] })
    return
  }
  const { id: cardId, ...before } = await ensureCard(tx, facts.url)
  const card = cardOf(facts, image)
  const authors = cardAuthors(facts, creatorIds)
  const isSame = isDeepStrictEqual({ ...before }, card)
  if (!isSame) await update(tx.db, { cardId, ...card })
  const hasSameAuthors = await replaceAuthors(tx, { cardId, authors })
  if (!isSame || !hasSameAuthors) tx.emit('card.updated', { cardId })
  if (before.image_key !== null && before.image_key !== card.image_key) {
    tx.emit('media.removed', { mediaKeys: [before.image_key] })
  }
  const isComplete = facts.imageUrl === null || image !== null
  await setLinkCard(tx.db, { linkId, cardId, now: tx.now, refetchHours: isComplete ? FRESH_HOURS : FETCH_LEASE_HOURS })
  tx.emit('link.fetched', { linkId })
}

async function ensureCard(tx: Tx, url: string): Promise<Card & { id: string }> {
  for (;;) {
    const [stored] = await lockCard(tx.db, { url })
    if (stored) return stored
    await insert(tx.db, { url, now: tx.now })
  }
}

/** Replaces the authors of a card. Returns true if they did not change. */
async function replaceAuthors(
  tx: Tx,
  { cardId, authors }: { cardId: string; authors: readonly Author[] },
): Promise<boolean> {
  const stored = await findAuthors(tx.db, { cardId })
  if (
    isDeepStrictEqual(
      stored.map((author) => ({ ...author })),
      authors,
    )
  )
    return true
  await removeAuthors(tx.db, { cardId })
  await insertAuthors(tx.db, {
    cardId,
    names: authors.map((author) => author.name),
    urls: authors.map((author) => author.url),
    accountIds: authors.map((author) => author.account_id),
  })
  return false
}

function cardOf(facts: PageMetadata, image: CardImage | null): Card {
  return {
    type: facts.type,
    title: facts.title,
    description: facts.description,
    language: facts.language,
    provider_name: facts.providerName,
    provider_url: facts.providerUrl,
    embed_url: facts.embedUrl,
    player_element: facts.player?.element ?? null,
    player_url: facts.player?.url ?? null,
    width: facts.width,
    height: facts.height,
    image_url: facts.imageUrl,
    image_key: image?.key ?? null,
    image_width: image?.width ?? 0,
    image_height: image?.height ?? 0,
    image_description: image ? facts.imageDescription : '',
    blurhash: image?.blurhash ?? null,
    published_at: facts.publishedAt,
  }
}

/** Returns the authors of a page. The nth creator account belongs to the nth author. */
function cardAuthors({ authors }: PageMetadata, creatorIds: readonly (string | null)[]): Author[] {
  return Array.from({ length: Math.max(authors.length, creatorIds.length) }, (_none, n) => ({
    name: authors[n]?.name ?? '',
    url: authors[n]?.url ?? '',
    account_id: creatorIds[n] ?? null,
  })).filter(({ name, account_id }) => name !== '' || account_id !== null)
}
