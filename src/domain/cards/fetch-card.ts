import type { PageMetadata } from '../../lib/webpage/describe-page.ts'
import { parseHandle } from '../../lib/usernames.ts'
import { statement } from '../../platform/db/statement.ts'
import { toStoredDomain } from '../accounts/lookup/lookup-account.ts'
import { usableAccount } from '../access/usable-account.ts'
import type { Ctx } from '../context.ts'
import { fetchCardImage } from './store-card-image.ts'
import type { CardImage } from './store-card-image.ts'
import { readLinkedPage } from './read-linked-page.ts'
import { recordCard } from './record-card.ts'

/** The maximum number of pages that one process fetches in parallel, so that slow pages do not block other work. */
const MAX_CONCURRENT = 10
const MAX_CONCURRENT_PER_HOST = 3
/** If a limit is reached, the fetch is rescheduled after this delay plus a random part of up to the same length. */
const RETRY_DELAY_MS = 30_000
const CREATOR_TIMEOUT_MS = 10_000

/** The hosts of the links that are being fetched, by link id. */
const activeFetches = new WeakMap<Ctx, Map<string, string>>()

const find = statement<{ params: { linkId: string }; row: { url: string } }>(
  `select url from preview_links where id = $linkId`,
)
const findStoredImage = statement<{
  params: { url: string; imageUrl: string }
  row: CardImage
  notNull: 'blurhash' | 'key'
}>(
  `select image_key as key, blurhash, image_width as width, image_height as height from preview_cards
   where url = $url and image_url = $imageUrl and image_key is not null`,
)
const findAccount = statement<{ params: { username: string; domain: string }; row: { id: string } }>(
  `select a.id from accounts a left join users u on u.account_id = a.id
   where lower(a.username) = lower($username) and coalesce(a.domain, '') = $domain and ${usableAccount()}`,
)

/** Effect: fetches the page of a link and records its preview card, which all statuses with the link then show. */
export async function fetchCard(ctx: Ctx, { linkId }: { linkId: string }): Promise<void> {
  const active = activeFetchesOf(ctx)
  const [link] = await find(ctx.db, { linkId })
  // If another job is fetching the link, its result also serves this job.
  if (!link || active.has(linkId)) return
  const { host } = new URL(link.url)
  const isBusy = [...active.values()].filter((other) => other === host).length >= MAX_CONCURRENT_PER_HOST
  if (isBusy || active.size >= MAX_CONCURRENT) return reschedule(ctx, { linkId })
  active.set(linkId, host)
  try {
    await fetchLink(ctx, { linkId, url: link.url })
  } finally {
    active.delete(linkId)
  }
}

async function fetchLink(ctx: Ctx, { linkId, url }: { linkId: string; url: string }): Promise<void> {
  const facts = await readLinkedPage(ctx, { url })
  if (!facts) return
  const creatorIds = await findCreators(ctx, facts.creators)
  const storedImage = await findStoredCardImage(ctx, facts)
  const image = storedImage ?? (facts.imageUrl === null ? null : await fetchCardImage(ctx, { url: facts.imageUrl }))
  try {
    await ctx.write((tx) => recordCard(tx, { linkId, facts, creatorIds, image }))
  } catch (err) {
    if (image && !storedImage) await ctx.storage.remove({ keys: [image.key] }).catch(() => {})
    throw err
  }
}

/** Returns the stored image of the card if the page still has the same image URL. */
async function findStoredCardImage(ctx: Ctx, { url, imageUrl }: PageMetadata): Promise<CardImage | null> {
  const [existing] = imageUrl === null ? [] : await findStoredImage(ctx.db, { url, imageUrl })
  return existing ?? null
}

/** Returns the ids of the accounts that a page names in `fediverse:creator`; null for a handle that is not found. */
async function findCreators(ctx: Ctx, handles: readonly string[]): Promise<(string | null)[]> {
  const accountIds: (string | null)[] = []
  for (const handle of handles) accountIds.push(await findCreator(ctx, handle))
  return accountIds
}

async function findCreator(ctx: Ctx, input: string): Promise<string | null> {
  const handle = parseHandle(input)
  if (!handle || handle.domain === null) return null
  const domain = toStoredDomain(ctx, handle.domain)
  const [existing] = await findAccount(ctx.db, { username: handle.username, domain })
  if (existing || domain === '') return existing?.id ?? null
  return ctx.remote.findAccount({ username: handle.username, domain, timeoutMs: CREATOR_TIMEOUT_MS })
}

async function reschedule(ctx: Ctx, { linkId }: { linkId: string }): Promise<void> {
  await ctx.write(async (tx) => {
    tx.emit('link.fetch_due', { linkId }, new Date(tx.now.getTime() + RETRY_DELAY_MS * (1 + Math.random())))
  })
}

function activeFetchesOf(ctx: Ctx): Map<string, string> {
  let active = activeFetches.get(ctx)
  if (!active) activeFetches.set(ctx, (active = new Map()))
  return active
}
