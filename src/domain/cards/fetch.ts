import type { PageFacts } from '../../lib/webpage/describePage.ts'
import { parseHandle } from '../../lib/usernames.ts'
import { statement } from '../../platform/db/statement.ts'
import { foreignDomain } from '../accounts/lookup.ts'
import { usableAccount } from '../accounts/usable.ts'
import type { Ctx } from '../context.ts'
import { keepPicture } from './picture.ts'
import type { CardPicture } from './picture.ts'
import { lookAtPage } from './look.ts'
import { recordCard } from './record.ts'

/** So many pages are looked at by one process at a time, and of one host: slow ones shall not hold up anything else. */
const MAX_AT_ONCE = 10
const MAX_AT_ONCE_EACH = 3
/** Whoever comes when all places are taken comes again after this, and up to as much later. */
const PAUSE_MS = 30_000
const CREATOR_TIMEOUT_MS = 10_000

/** The hosts of the links that are being looked at. */
const inWork = new WeakMap<Ctx, Map<string, string>>()

const find = statement<{ params: { linkId: string }; row: { url: string } }>(`select url from links where id = $linkId`)
const findPicture = statement<{
  params: { url: string; imageUrl: string }
  row: CardPicture
  notNull: 'blurhash' | 'key'
}>(
  `select image_key as key, blurhash, image_width as width, image_height as height from preview_cards
   where url = $url and image_url = $imageUrl and image_key is not null`,
)
const findAccount = statement<{ params: { username: string; domain: string }; row: { id: string } }>(
  `select a.id from accounts a left join users u on u.account_id = a.id
   where lower(a.username) = lower($username) and coalesce(a.domain, '') = $domain and ${usableAccount()}`,
)

/** Effect: looks at the page that a link leads to, and has all statuses with that link show what it is. */
export async function fetchCard(ctx: Ctx, { linkId }: { linkId: string }): Promise<void> {
  const places = placesOf(ctx)
  const [link] = await find(ctx.db, { linkId })
  // Another job may be at it: that does for this one, too.
  if (!link || places.has(linkId)) return
  const { host } = new URL(link.url)
  const isBusy = [...places.values()].filter((other) => other === host).length >= MAX_AT_ONCE_EACH
  if (isBusy || places.size >= MAX_AT_ONCE) return comeAgain(ctx, { linkId })
  places.set(linkId, host)
  try {
    await fetchLink(ctx, { linkId, url: link.url })
  } finally {
    places.delete(linkId)
  }
}

async function fetchLink(ctx: Ctx, { linkId, url }: { linkId: string; url: string }): Promise<void> {
  const facts = await lookAtPage(ctx, { url })
  if (!facts) return
  const creatorIds = await findCreators(ctx, facts.creators)
  const known = await findKnownPicture(ctx, facts)
  const picture = known ?? (facts.imageUrl === null ? null : await keepPicture(ctx, { url: facts.imageUrl }))
  try {
    await ctx.write((tx) => recordCard(tx, { linkId, facts, creatorIds, picture }))
  } catch (err) {
    if (picture && !known) await ctx.storage.remove({ keys: [picture.key] }).catch(() => {})
    throw err
  }
}

/** The picture that the card has already, if the page still has the same. */
async function findKnownPicture(ctx: Ctx, { url, imageUrl }: PageFacts): Promise<CardPicture | null> {
  const [known] = imageUrl === null ? [] : await findPicture(ctx.db, { url, imageUrl })
  return known ?? null
}

/** The people whom a page names as its authors by their handles; null for who is not found. */
async function findCreators(ctx: Ctx, handles: readonly string[]): Promise<(string | null)[]> {
  const found: (string | null)[] = []
  for (const handle of handles) found.push(await findCreator(ctx, handle))
  return found
}

async function findCreator(ctx: Ctx, typed: string): Promise<string | null> {
  const handle = parseHandle(typed)
  if (!handle || handle.domain === null) return null
  const domain = foreignDomain(ctx, handle.domain)
  const [known] = await findAccount(ctx.db, { username: handle.username, domain })
  if (known || domain === '') return known?.id ?? null
  return ctx.remote.findAccount({ username: handle.username, domain, timeoutMs: CREATOR_TIMEOUT_MS })
}

async function comeAgain(ctx: Ctx, { linkId }: { linkId: string }): Promise<void> {
  await ctx.write(async (tx) => {
    tx.emit('link.due', { linkId }, new Date(tx.now.getTime() + PAUSE_MS * (1 + Math.random())))
  })
}

function placesOf(ctx: Ctx): Map<string, string> {
  let places = inWork.get(ctx)
  if (!places) inWork.set(ctx, (places = new Map()))
  return places
}
