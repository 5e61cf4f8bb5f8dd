import { isDeepStrictEqual } from 'node:util'
import type { PageFacts } from '../../lib/webpage/describePage.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { LEASE_HOURS } from './link.ts'
import type { CardPicture } from './picture.ts'

/** A page counts as known for so long; one whose picture could not be had is looked at again sooner. */
const FRESH_HOURS = 14 * 24

/** What is shown of a page, with the column of each. */
interface Card {
  type: PageFacts['type']
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

const holdLink = statement<{ params: { linkId: string } }>(`select from links where id = $linkId for key share`)
const hold = statement<{ params: { url: string }; row: Card & { id: string } }>(
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
const settle = statement<{ params: { linkId: string; cardId: string; now: Date; refetchHours: number } }>(
  `update links set card_id = $cardId, due_at = $now::timestamptz + make_interval(hours => $refetchHours::int)
    where id = $linkId`,
)

/**
 * Writes down what was found at the end of a link, as the card of the page that it is; other links may lead to the same.
 * Whatever shows the card is told if it is another now, and so is every status with the link.
 */
export async function recordCard(
  tx: Tx,
  {
    linkId,
    facts,
    creatorIds,
    picture,
  }: {
    linkId: string
    facts: PageFacts
    /** Those whom the page names as its authors, in the order of its authors; null: nobody who is known. */
    creatorIds: readonly (string | null)[]
    picture: CardPicture | null
  },
): Promise<void> {
  if ((await holdLink(tx.db, { linkId })).length === 0) {
    if (picture) tx.emit('media.removed', { mediaKeys: [picture.key] })
    return
  }
  const { id: cardId, ...before } = await ensureCard(tx, facts.url)
  const card = cardOf(facts, picture)
  const authors = authorsOf(facts, creatorIds)
  const isSame = isDeepStrictEqual({ ...before }, card)
  if (!isSame) await update(tx.db, { cardId, ...card })
  const hasSameAuthors = await replaceAuthors(tx, { cardId, authors })
  if (!isSame || !hasSameAuthors) tx.emit('card.changed', { cardId })
  if (before.image_key !== null && before.image_key !== card.image_key) {
    tx.emit('media.removed', { mediaKeys: [before.image_key] })
  }
  const isWhole = facts.imageUrl === null || picture !== null
  await settle(tx.db, { linkId, cardId, now: tx.now, refetchHours: isWhole ? FRESH_HOURS : LEASE_HOURS })
  tx.emit('link.settled', { linkId })
}

async function ensureCard(tx: Tx, url: string): Promise<Card & { id: string }> {
  for (;;) {
    const [known] = await hold(tx.db, { url })
    if (known) return known
    await insert(tx.db, { url, now: tx.now })
  }
}

/** True when they were these before. */
async function replaceAuthors(
  tx: Tx,
  { cardId, authors }: { cardId: string; authors: readonly Author[] },
): Promise<boolean> {
  const known = await findAuthors(tx.db, { cardId })
  if (
    isDeepStrictEqual(
      known.map((one) => ({ ...one })),
      authors,
    )
  )
    return true
  await removeAuthors(tx.db, { cardId })
  await insertAuthors(tx.db, {
    cardId,
    names: authors.map((one) => one.name),
    urls: authors.map((one) => one.url),
    accountIds: authors.map((one) => one.account_id),
  })
  return false
}

function cardOf(facts: PageFacts, picture: CardPicture | null): Card {
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
    image_key: picture?.key ?? null,
    image_width: picture?.width ?? 0,
    image_height: picture?.height ?? 0,
    image_description: picture ? facts.imageDescription : '',
    blurhash: picture?.blurhash ?? null,
    published_at: facts.publishedAt,
  }
}

/** The people whom it names are its authors in the same order. */
function authorsOf({ authors }: PageFacts, creatorIds: readonly (string | null)[]): Author[] {
  return Array.from({ length: Math.max(authors.length, creatorIds.length) }, (_none, n) => ({
    name: authors[n]?.name ?? '',
    url: authors[n]?.url ?? '',
    account_id: creatorIds[n] ?? null,
  })).filter(({ name, account_id }) => name !== '' || account_id !== null)
}
