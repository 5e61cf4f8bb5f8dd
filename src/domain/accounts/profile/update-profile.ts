import { ValidationError } from '../../../lib/errors.ts'
import { normalizeLanguage } from '../../../lib/text/language.ts'
import { statement } from '../../../platform/db/statement.ts'
import { nameImageParameter } from '../../../platform/media/media-errors.ts'
import type { Ctx, Tx } from '../../context.ts'
import { findUsedEmojis } from '../../emojis/find-used-emojis.ts'
import { checkProfile } from './check-profile.ts'
import type { ProfileTexts } from './check-profile.ts'
import { storeProfileImage } from './store-profile-image.ts'
import type { ProfileImageKeys } from './store-profile-image.ts'

/** The properties of a profile to change. Absent properties stay as they are. */
export interface ProfileChanges extends ProfileTexts {
  locked?: boolean
  bot?: boolean
  discoverable?: boolean
  indexable?: boolean
  hideCollections?: boolean
  showMedia?: boolean
  showMediaReplies?: boolean
  showFeatured?: boolean
  /** Defaults for new posts. */
  defaults?: PostingDefaults
}

interface PostingDefaults {
  privacy?: 'public' | 'unlisted' | 'private'
  sensitive?: boolean
  /** An ISO 639 code; empty: the language of the user interface. */
  language?: string
  /** Which accounts may quote. */
  quotePolicy?: 'public' | 'followers' | 'nobody'
}

interface StoredProfile {
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

const lock = statement<{ params: { accountId: string }; row: StoredProfile }>(
  `select locked, indexable, display_name, note, fields, avatar_key, avatar_static_key, header_key, header_static_key
   from accounts where id = $accountId and domain is null for no key update`,
)

// Only the language of posts can be reset to null.
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
  params: ReturnType<typeof profileColumns> & { accountId: string; emojiIds: readonly string[]; now: Date }
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

/** Paths of the temporary files of uploaded images. */
export interface ProfileUploads {
  avatarPath?: string | undefined
  headerPath?: string | undefined
}

/**
 * Updates the profile of a local account and its defaults for posts (Mastodon: PATCH
 * /api/v1/accounts/update_credentials). Unlocking an account accepts its pending follow requests. The files of a
 * replaced image are deleted after the commit.
 * @throws ValidationError; UnprocessableError for an invalid image; StorageFullError
 */
export async function updateProfile(
  ctx: Ctx,
  { accountId, changes, uploads = {} }: { accountId: string; changes: ProfileChanges; uploads?: ProfileUploads },
): Promise<void> {
  const texts = checkProfile(changes)
  const defaults = defaultColumns(changes.defaults ?? {})
  const images: ProfileImages = {}
  try {
    if (uploads.avatarPath) images.avatar = await storeUpload(ctx, { kind: 'avatar', path: uploads.avatarPath })
    if (uploads.headerPath) images.header = await storeUpload(ctx, { kind: 'header', path: uploads.headerPath })
    await ctx.write((tx) => writeProfile(tx, { accountId, changes, texts, defaults, images }))
  } catch (err) {
    const keys = [images.avatar, images.header].flatMap((image) => (image ? [image.key, image.staticKey] : []))
    await ctx.storage.remove({ keys }).catch(() => {})
    throw err
  }
}

/** Like `storeProfileImage`, but an error of the image names its parameter in `details`. */
async function storeUpload(ctx: Ctx, image: { kind: 'avatar' | 'header'; path: string }): Promise<ProfileImageKeys> {
  return nameImageParameter(image.kind, () => storeProfileImage(ctx, image))
}

interface ProfileImages {
  avatar?: ProfileImageKeys
  header?: ProfileImageKeys
}

interface CheckedChanges {
  changes: ProfileChanges
  texts: ProfileTexts
  defaults: ReturnType<typeof defaultColumns>
  images: ProfileImages
}

async function writeProfile(
  tx: Tx,
  { accountId, changes, texts, defaults, images }: CheckedChanges & { accountId: string },
): Promise<void> {
  const [before] = await lock(tx.db, { accountId })
  if (!before) return
  const columns = profileColumns({ changes, texts, images, before })
  if (defaults) await updateDefaults(tx.db, { accountId, ...defaults })
  if (Object.values(columns).every((value) => value === null)) return
  const emojiIds = await findUsedEmojis(tx, { texts: updatedTexts(texts, before) })
  await update(tx.db, { accountId, ...columns, emojiIds, now: tx.now })
  tx.emit('account.updated', { accountId, mediaKeys: replacedKeys(images, before) })
  if (changes.indexable !== undefined && changes.indexable !== before.indexable) {
    tx.emit('account.indexable_changed', { accountId })
  }
  if (before.locked && changes.locked === false) tx.emit('account.unlocked', { accountId })
}

/** Returns the new values of the columns; null: the column stays as it is. */
function profileColumns({
  changes,
  texts,
  images,
  before,
}: Omit<CheckedChanges, 'defaults'> & { before: StoredProfile }) {
  return {
    displayName: texts.displayName ?? null,
    note: texts.note ?? null,
    fields: texts.fields
      ? JSON.stringify(texts.fields.map((field) => ({ ...field, ...verificationOf(field, before) })))
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

/** Returns all texts of the profile after the update. */
function updatedTexts(texts: ProfileTexts, before: StoredProfile): string[] {
  const fields = texts.fields ?? before.fields
  return [
    texts.displayName ?? before.display_name,
    texts.note ?? before.note,
    ...fields.flatMap(({ name, value }) => [name, value]),
  ]
}

/** Returns the new defaults for posts; null: none changes. */
function defaultColumns({ privacy, sensitive, language, quotePolicy }: PostingDefaults) {
  if ([privacy, sensitive, language, quotePolicy].every((value) => value === undefined)) return null
  return {
    privacy: privacy ?? null,
    sensitive: sensitive ?? null,
    setsLanguage: language !== undefined,
    language: language === undefined ? null : parseLanguage(language),
    quotePolicy: quotePolicy ?? null,
  }
}

function parseLanguage(language: string): string | null {
  if (language === '') return null
  const code = normalizeLanguage(language)
  if (code !== null) return code
  throw new ValidationError([{ attribute: 'language', code: 'ERR_INCLUSION', text: 'is not included in the list' }])
}

/** Returns the verification of a field. An unchanged value keeps it, whatever its label and position are now. */
function verificationOf({ value }: { value: string }, before: StoredProfile): { verified_at: string | null } {
  return { verified_at: before.fields.find((field) => field.value === value)?.verified_at ?? null }
}

function replacedKeys({ avatar, header }: ProfileImages, before: StoredProfile): string[] {
  const keys = [
    ...(avatar ? [before.avatar_key, before.avatar_static_key] : []),
    ...(header ? [before.header_key, before.header_static_key] : []),
  ]
  return [...new Set(keys.filter((key) => key !== null))]
}
