import { ValidationFailed } from '../../lib/errors.ts'
import { normalizeLanguage } from '../../lib/text/language.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Tx } from '../context.ts'
import { findUsedEmojis } from '../emojis/find-used.ts'
import { checkProfile } from './check-profile.ts'
import type { ProfileTexts } from './check-profile.ts'
import { keepProfileImage } from './keep-profile-image.ts'
import type { ProfileImageKeys } from './keep-profile-image.ts'

/** What a person changes about themselves; what is left out stays as it is. */
export interface ProfileChanges extends ProfileTexts {
  locked?: boolean
  bot?: boolean
  discoverable?: boolean
  indexable?: boolean
  hideCollections?: boolean
  showMedia?: boolean
  showMediaReplies?: boolean
  showFeatured?: boolean
  /** How new posts are, unless one says otherwise. */
  defaults?: PostingDefaults
}

interface PostingDefaults {
  privacy?: 'public' | 'unlisted' | 'private'
  sensitive?: boolean
  /** Empty = that of the interface. */
  language?: string
  /** Who may quote. */
  quotePolicy?: 'public' | 'followers' | 'nobody'
}

interface Before {
  locked: boolean
  indexable: boolean
  display_name: string
  note: string
  fields: { name: string; value: string; verified_at: string | null }[]
  avatar_key: string | null
  avatar_static_key: string | null
  header_key: string | null
  header_static_key: string | null
}

const lock = statement<{ params: { accountId: string }; row: Before }>(
  `select locked, indexable, display_name, note, fields, avatar_key, avatar_static_key, header_key, header_static_key
   from accounts where id = $accountId and domain is null for no key update`,
)

// Nothing but the language of posts can be set back to null.
const updateDefaults = statement<{
  params: {
    accountId: string
    privacy: string | null
    sensitive: boolean | null
    setsLanguage: boolean
    language: string | null
    quotePolicy: string | null
  }
}>(
  `update users set
     default_privacy = coalesce($privacy, default_privacy),
     default_sensitive = coalesce($sensitive, default_sensitive),
     default_language = case when $setsLanguage then $language else default_language end,
     default_quote_policy = coalesce($quotePolicy, default_quote_policy)
   where account_id = $accountId`,
)
const update = statement<{
  params: ReturnType<typeof columnsOf> & { accountId: string; emojiIds: readonly string[]; now: Date }
}>(
  `update accounts set
     display_name = coalesce($displayName, display_name),
     note = coalesce($note, note),
     fields = coalesce($fields, fields),
     avatar_description = coalesce($avatarDescription, avatar_description),
     header_description = coalesce($headerDescription, header_description),
     avatar_key = coalesce($avatarKey, avatar_key),
     avatar_static_key = coalesce($avatarStaticKey, avatar_static_key),
     header_key = coalesce($headerKey, header_key),
     header_static_key = coalesce($headerStaticKey, header_static_key),
     locked = coalesce($locked, locked),
     actor_type = coalesce($actorType, actor_type),
     discoverable = coalesce($discoverable, discoverable),
     indexable = coalesce($indexable, indexable),
     hide_collections = coalesce($hideCollections, hide_collections),
     attribution_domains = coalesce($attributionDomains, attribution_domains),
     show_media = coalesce($showMedia, show_media),
     show_media_replies = coalesce($showMediaReplies, show_media_replies),
     show_featured = coalesce($showFeatured, show_featured),
     emoji_ids = $emojiIds, version = version + 1, updated_at = $now
   where id = $accountId`,
)

/** Uploaded pictures, where the request left them. */
export interface ProfileUploads {
  avatarPath?: string | undefined
  headerPath?: string | undefined
}

/**
 * Changes somebody's own profile and the defaults of their posts. Whoever unlocks the account grants what was asked of
 * it. The files of a picture that is replaced go after the commit.
 * @throws ValidationFailed · UnsupportedMedia · MediaUnprocessable · StorageFull
 */
export async function updateProfile(
  ctx: Ctx,
  { accountId, changes, uploads = {} }: { accountId: string; changes: ProfileChanges; uploads?: ProfileUploads },
): Promise<void> {
  const texts = checkProfile(changes)
  const defaults = columnsOfDefaults(changes.defaults ?? {})
  const images: ProfileImages = {}
  try {
    if (uploads.avatarPath) images.avatar = await keepProfileImage(ctx, { kind: 'avatar', path: uploads.avatarPath })
    if (uploads.headerPath) images.header = await keepProfileImage(ctx, { kind: 'header', path: uploads.headerPath })
    await ctx.write((tx) => writeProfile(tx, { accountId, changes, texts, defaults, images }))
  } catch (err) {
    const keys = [images.avatar, images.header].flatMap((image) => (image ? [image.key, image.staticKey] : []))
    await ctx.storage.remove({ keys }).catch(() => {})
    throw err
  }
}

interface ProfileImages {
  avatar?: ProfileImageKeys
  header?: ProfileImageKeys
}

interface CheckedChanges {
  changes: ProfileChanges
  texts: ProfileTexts
  defaults: ReturnType<typeof columnsOfDefaults>
  images: ProfileImages
}

async function writeProfile(
  tx: Tx,
  { accountId, changes, texts, defaults, images }: CheckedChanges & { accountId: string },
): Promise<void> {
  const [before] = await lock(tx.db, { accountId })
  if (!before) return
  const columns = columnsOf({ changes, texts, images, before })
  if (defaults) await updateDefaults(tx.db, { accountId, ...defaults })
  if (Object.values(columns).every((value) => value === null)) return
  const emojiIds = await findUsedEmojis(tx, { texts: textsAfter(texts, before) })
  await update(tx.db, { accountId, ...columns, emojiIds, now: tx.now })
  tx.emit('account.updated', { accountId, mediaKeys: replacedKeys(images, before) })
  if (changes.indexable !== undefined && changes.indexable !== before.indexable) {
    tx.emit('account.indexable_changed', { accountId })
  }
  if (before.locked && changes.locked === false) tx.emit('account.unlocked', { accountId })
}

/** The new values of columns; null: the column stays as it is. */
function columnsOf({ changes, texts, images, before }: Omit<CheckedChanges, 'defaults'> & { before: Before }) {
  return {
    displayName: texts.displayName ?? null,
    note: texts.note ?? null,
    fields: texts.fields
      ? JSON.stringify(texts.fields.map((field) => ({ ...field, ...proofOf(field, before) })))
      : null,
    avatarDescription: texts.avatarDescription ?? null,
    headerDescription: texts.headerDescription ?? null,
    avatarKey: images.avatar?.key ?? null,
    avatarStaticKey: images.avatar?.staticKey ?? null,
    headerKey: images.header?.key ?? null,
    headerStaticKey: images.header?.staticKey ?? null,
    locked: changes.locked ?? null,
    actorType: changes.bot === undefined ? null : changes.bot ? 'Service' : 'Person',
    discoverable: changes.discoverable ?? null,
    indexable: changes.indexable ?? null,
    hideCollections: changes.hideCollections ?? null,
    attributionDomains: texts.attributionDomains ?? null,
    showMedia: changes.showMedia ?? null,
    showMediaReplies: changes.showMediaReplies ?? null,
    showFeatured: changes.showFeatured ?? null,
  }
}

/** Everything that the profile says once it is changed. */
function textsAfter(texts: ProfileTexts, before: Before): string[] {
  const fields = texts.fields ?? before.fields
  return [
    texts.displayName ?? before.display_name,
    texts.note ?? before.note,
    ...fields.flatMap(({ name, value }) => [name, value]),
  ]
}

/** The new defaults of posts; null: none changes. */
function columnsOfDefaults({ privacy, sensitive, language, quotePolicy }: PostingDefaults) {
  if ([privacy, sensitive, language, quotePolicy].every((value) => value === undefined)) return null
  return {
    privacy: privacy ?? null,
    sensitive: sensitive ?? null,
    setsLanguage: language !== undefined,
    language: language === undefined ? null : readLanguage(language),
    quotePolicy: quotePolicy ?? null,
  }
}

function readLanguage(language: string): string | null {
  if (language === '') return null
  const code = normalizeLanguage(language)
  if (code !== null) return code
  throw new ValidationFailed([{ attribute: 'language', code: 'ERR_INCLUSION', text: 'is not included in the list' }])
}

/** A link that stays stays as verified as it was, whatever its label and its place are now. */
function proofOf({ value }: { value: string }, before: Before): { verified_at: string | null } {
  return { verified_at: before.fields.find((field) => field.value === value)?.verified_at ?? null }
}

function replacedKeys({ avatar, header }: ProfileImages, before: Before): string[] {
  const keys = [
    ...(avatar ? [before.avatar_key, before.avatar_static_key] : []),
    ...(header ? [before.header_key, before.header_static_key] : []),
  ]
  return [...new Set(keys.filter((key) => key !== null))]
}
