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
  if (Object.keys(defaults).length > 0) {
    await tx.db.updateTable('users').set(defaults).where('account_id', '=', accountId).execute()
  }
  if (Object.keys(columns).length === 0) return
  const emojis = await findUsedEmojis(tx, { texts: textsAfter(texts, before) })
  await tx.db
    .updateTable('accounts')
    .set((eb) => ({ ...columns, emoji_ids: emojis, version: eb('version', '+', 1), updated_at: tx.now }))
    .where('id', '=', accountId)
    .execute()
  tx.emit('account.updated', { accountId, mediaKeys: replacedKeys(images, before) })
  if (changes.indexable !== undefined && changes.indexable !== before.indexable) {
    tx.emit('account.indexable_changed', { accountId })
  }
  if (before.locked && changes.locked === false) tx.emit('account.unlocked', { accountId })
}

function columnsOf({ changes, texts, images, before }: Omit<CheckedChanges, 'defaults'> & { before: Before }) {
  return present({
    display_name: texts.displayName,
    note: texts.note,
    fields: texts.fields && JSON.stringify(texts.fields.map((field) => ({ ...field, ...proofOf(field, before) }))),
    avatar_description: texts.avatarDescription,
    header_description: texts.headerDescription,
    avatar_key: images.avatar?.key,
    avatar_static_key: images.avatar?.staticKey,
    header_key: images.header?.key,
    header_static_key: images.header?.staticKey,
    locked: changes.locked,
    actor_type: changes.bot === undefined ? undefined : changes.bot ? 'Service' : 'Person',
    discoverable: changes.discoverable,
    indexable: changes.indexable,
    hide_collections: changes.hideCollections,
    attribution_domains: texts.attributionDomains && [...texts.attributionDomains],
    show_media: changes.showMedia,
    show_media_replies: changes.showMediaReplies,
    show_featured: changes.showFeatured,
  })
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

function columnsOfDefaults({ privacy, sensitive, language, quotePolicy }: PostingDefaults) {
  return present({
    default_privacy: privacy,
    default_sensitive: sensitive,
    default_language: language === undefined ? undefined : readLanguage(language),
    default_quote_policy: quotePolicy,
  })
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

type Present<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> }

/** Without the keys that say nothing. */
function present<T extends object>(record: T): Present<T> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Present<T>
}
