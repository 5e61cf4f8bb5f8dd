import { NotFoundError, UnprocessableError } from '../../lib/errors.ts'
import { isEmojiShortcode } from '../../lib/text/entities/emoji-shortcodes.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { isActiveAnnouncement } from './is-active-announcement.ts'

/** How many different emojis an announcement may have. */
const MAX_DISTINCT_EMOJIS = 8

/** Selects the emoji presentation of a character that can also be text. */
const EMOJI_VARIATION_SELECTOR = '\uFE0F'

/** A user's reaction to an announcement. `name`: an emoji, or the shortcode of a custom one. */
export interface Reaction {
  accountId: string
  announcementId: string
  name: string
}

// The lock serialises reactions, so that concurrent ones cannot exceed the limit of different emojis.
const lock = statement<{ params: { id: string; now: Date } }>(
  `select from announcements a where a.id = $id and ${isActiveAnnouncement('$now')} for no key update`,
)
const findCustom = statement<{ params: { shortcode: string }; row: { id: string } }>(
  `select id from custom_emojis where shortcode = $shortcode and coalesce(domain, '') = '' and not disabled
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
 * Adds a user's reaction to an announcement; idempotent (Mastodon: PUT /api/v1/announcements/:id/reactions/:name).
 * @throws NotFoundError, also if the announcement has ended; UnprocessableError if the name is not an emoji, and for a
 *   ninth different emoji
 */
export async function reactToAnnouncement(tx: Tx, { accountId, announcementId, name: input }: Reaction): Promise<void> {
  await lockAnnouncement(tx, announcementId)
  const emoji = await resolveEmoji(tx, input)
  if (!emoji) throw new UnprocessableError('Validation failed: Name is not a recognized emoji')
  const [others] = await countOthers(tx.db, { announcementId, emojiName: emoji.name })
  if (others!.n >= MAX_DISTINCT_EMOJIS)
    throw new UnprocessableError('Validation failed: Limit of different reactions reached')
  const { name, id } = emoji
  const added = await insert(tx.db, { announcementId, accountId, name, emojiId: id, now: tx.now })
  if (added.length > 0) tx.emit('announcement.reactions_changed', { announcementId, name })
}

/**
 * Removes a user's reaction, if there is one (Mastodon: DELETE /api/v1/announcements/:id/reactions/:name).
 * @throws NotFoundError, also if the announcement has ended
 */
export async function removeReaction(tx: Tx, { accountId, announcementId, name: input }: Reaction): Promise<void> {
  await lockAnnouncement(tx, announcementId)
  const name = normalizeEmoji(input) ?? input
  const removed = await remove(tx.db, { announcementId, accountId, name })
  if (removed.length > 0) tx.emit('announcement.reactions_changed', { announcementId, name })
}

async function lockAnnouncement(tx: Tx, id: string): Promise<void> {
  if ((await lock(tx.db, { id, now: tx.now })).length === 0) throw new NotFoundError()
}

/** Returns an emoji in its normalised form, or null if it is unknown; `id`: of a custom emoji. */
async function resolveEmoji(tx: Tx, input: string): Promise<{ name: string; id: string | null } | null> {
  const emoji = normalizeEmoji(input)
  if (emoji !== null) return { name: emoji, id: null }
  if (!isEmojiShortcode(input)) return null
  const [custom] = await findCustom(tx.db, { shortcode: input })
  return custom ? { name: input, id: custom.id } : null
}

/** Returns an emoji with its variation selector, also if that was left out; null if it is not an emoji. */
function normalizeEmoji(input: string): string | null {
  return [input, input + EMOJI_VARIATION_SELECTOR].find((form) => /^\p{RGI_Emoji}$/v.test(form)) ?? null
}
