import { NotFound, Unprocessable } from '../../lib/errors.ts'
import { isEmojiCode } from '../../lib/text/emojiCodes.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { isOver } from './over.ts'

/** So many different emojis may stand below an announcement. */
const MAX_DIFFERENT = 8

/** What makes a sign that can also be plain text an emoji. */
const AS_EMOJI = '\uFE0F'

/** Whose reaction to what. `name`: an emoji, or the code of a custom one. */
export interface Reaction {
  accountId: string
  announcementId: string
  name: string
}

// Whoever comes with a ninth emoji sees the eighth.
const lock = statement<{ params: { id: string; now: Date } }>(
  `select from announcements a where a.id = $id and not ${isOver('$now')} for no key update`,
)
const findCustom = statement<{ params: { typed: string }; row: { id: string } }>(
  `select id from custom_emojis where shortcode = $typed and coalesce(domain, '') = '' and not disabled
    and image_key is not null`,
)
const countOthers = statement<{ params: { announcementId: string; emojiName: string }; row: { n: number } }>(
  `select count(distinct name)::int as n from announcement_reactions where announcement_id = $announcementId
    and name <> $emojiName`,
)
const insert = statement<{
  params: { announcementId: string; accountId: string; name: string; emojiId: string | null; now: Date }
  row: { id: string }
}>(
  `insert into announcement_reactions (announcement_id, account_id, name, emoji_id, created_at)
   values ($announcementId, $accountId, $name, $emojiId, $now) on conflict (announcement_id, name,
     account_id) do nothing returning id`,
)
const remove = statement<{ params: { announcementId: string; accountId: string; name: string }; row: { id: string } }>(
  `delete from announcement_reactions where announcement_id = $announcementId and account_id = $accountId
    and name = $name returning id`,
)

/**
 * Adds somebody's reaction to an announcement. Twice is once.
 * @throws NotFound also for what is over · Unprocessable for what is no emoji, and for a ninth one
 */
export async function reactToAnnouncement(tx: Tx, { accountId, announcementId, name: typed }: Reaction): Promise<void> {
  await lockAnnouncement(tx, announcementId)
  const emoji = await recognise(tx, typed)
  if (!emoji) throw new Unprocessable('Validation failed: Name is not a recognized emoji')
  const [others] = await countOthers(tx.db, { announcementId, emojiName: emoji.name })
  if (others!.n >= MAX_DIFFERENT) throw new Unprocessable('Validation failed: Limit of different reactions reached')
  const { name, id } = emoji
  const added = await insert(tx.db, { announcementId, accountId, name, emojiId: id, now: tx.now })
  if (added.length > 0) tx.emit('announcement.reacted', { announcementId, name })
}

/** Takes somebody's reaction back; where there is none, nothing happens. @throws NotFound when the announcement is over */
export async function withdrawReaction(tx: Tx, { accountId, announcementId, name: typed }: Reaction): Promise<void> {
  await lockAnnouncement(tx, announcementId)
  const name = asEmoji(typed) ?? typed
  const gone = await remove(tx.db, { announcementId, accountId, name })
  if (gone.length > 0) tx.emit('announcement.reacted', { announcementId, name })
}

async function lockAnnouncement(tx: Tx, id: string): Promise<void> {
  if ((await lock(tx.db, { id, now: tx.now })).length === 0) throw new NotFound()
}

/** The emoji in its one spelling; `id`: of a custom one. */
async function recognise(tx: Tx, typed: string): Promise<{ name: string; id: string | null } | null> {
  const emoji = asEmoji(typed)
  if (emoji !== null) return { name: emoji, id: null }
  if (!isEmojiCode(typed)) return null
  const [custom] = await findCustom(tx.db, { typed })
  return custom ? { name: typed, id: custom.id } : null
}

/** An emoji in full, also where the sign that it is one was left out; null for what is none. */
function asEmoji(typed: string): string | null {
  return [typed, typed + AS_EMOJI].find((form) => /^\p{RGI_Emoji}$/v.test(form)) ?? null
}
