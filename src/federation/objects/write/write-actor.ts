import type { Read } from '../../../domain/context.ts'
import { toJson } from '../../../lib/json/json.ts'
import type { Json } from '../../../lib/json/json.ts'
import { extractHashtags } from '../../../lib/text/entities/extract-entities.ts'
import { formatField, formatNote } from '../../../lib/html/format-status.ts'
import type { ProfileSource } from '../../../lib/html/format-status.ts'
import type { Config } from '../../../platform/config/config.ts'
import { statement } from '../../../platform/db/statement.ts'
import { fileUrl } from '../../../render/media/render-media.ts'
import { PUBLIC } from '../../wire/context.ts'
import { mediaTypeOf } from '../../../lib/http/media-type-of.ts'
import { actorUri, instanceActorUri, keyIdOf, sharedInboxUri } from '../uris.ts'
import { renderEmoji, selectEmojis } from './write-emoji.ts'
import type { EmojiRow } from './write-emoji.ts'

interface ActorRow {
  id: string
  username: string
  actor_type: string
  display_name: string
  note: string
  fields: { name: string; value: string }[]
  url: string
  avatar_key: string | null
  avatar_description: string
  header_key: string | null
  header_description: string
  locked: boolean
  discoverable: boolean | null
  indexable: boolean
  memorial: boolean
  attribution_domains: string[]
  show_media: boolean
  show_media_replies: boolean
  show_featured: boolean
  suspended: boolean
  also_known_as: string[]
  moved_to_uri: string | null
  created_at: Date
  public_key_pem: string
  emojis: EmojiRow[] | null
}

const load = statement<{ params: { accountId: string }; row: ActorRow }>(
  `select a.id, a.username, a.actor_type, a.display_name, a.note, a.fields, a.url, a.avatar_key, a.avatar_description,
     a.header_key, a.header_description, a.locked, a.discoverable, a.indexable, a.memorial,
     a.attribution_domains, a.show_media, a.show_media_replies, a.show_featured,
     a.suspended_at is not null as suspended, a.also_known_as, target.uri as moved_to_uri, a.created_at,
     k.public_key_pem,
     ${selectEmojis('a.emoji_ids')} as emojis
   from accounts a join actor_keys k on k.account_id = a.id and k.private_key is not null
     left join accounts target on target.id = a.moved_to_account_id
   where a.id = $accountId and a.domain is null`,
)

/**
 * Returns a local account as an actor, without context; null if there is none, or if it has no key yet. Callers decide
 * who can see it. A suspended account shows only its name, except `forOwner`, in an archive for its user.
 */
export async function writeActor(
  read: Read,
  { accountId, forOwner = false }: { accountId: string; forOwner?: boolean },
): Promise<Json<object> | null> {
  const [row] = await load(read.db, { accountId })
  if (!row) return null
  return toJson(renderActor(read.config, { ...row, suspended: row.suspended && !forOwner }))
}

function renderActor(config: Config, row: ActorRow): object {
  const id = actorUri(config, row.id)
  return {
    id,
    type: row.actor_type,
    ...endpointsOf(config, id),
    followers: `${id}/followers`,
    following: `${id}/following`,
    featured: `${id}/collections/featured`,
    featuredTags: `${id}/collections/tags`,
    featuredCollections: `${id}/featured_collections`,
    preferredUsername: row.username,
    webfinger: `${row.username}@${config.localDomain}`,
    name: (!row.suspended && row.display_name) || row.username,
    summary: row.suspended ? '' : formatNote(formatSource(config, row.note)),
    url: row.url,
    manuallyApprovesFollowers: row.locked,
    discoverable: !row.suspended && row.discoverable === true,
    indexable: !row.suspended && row.indexable,
    published: `${row.created_at.toISOString().slice(0, 10)}T00:00:00Z`,
    memorial: row.memorial,
    // Who can add it to a featured collection: everyone, or nobody but itself (FEP-7aa9).
    interactionPolicy: {
      canFeature: { automaticApproval: [!row.suspended && row.discoverable === true ? PUBLIC : id] },
    },
    ...(row.suspended ? { suspended: true } : renderProfile(config, row)),
    publicKey: renderKey(id, row.public_key_pem),
  }
}

/** Returns the properties of the profile, which a suspended account does not show. */
function renderProfile(config: Config, row: ActorRow): object {
  const hashtags = new Map(extractHashtags(row.note).map(({ name }) => [name, tagUrl(config, name)]))
  return {
    attachment: row.fields.map(({ name, value }) => ({
      type: 'PropertyValue',
      name,
      value: formatField(formatSource(config, value)),
    })),
    tag: [
      ...(row.emojis ?? []).map((emoji) => renderEmoji(config, emoji)),
      ...[...hashtags].map(([name, href]) => ({ type: 'Hashtag', href, name: `#${name}` })),
    ],
    ...(row.attribution_domains.length > 0 ? { attributionDomains: row.attribution_domains } : {}),
    showMedia: row.show_media,
    showRepliesInMedia: row.show_media_replies,
    showFeatured: row.show_featured,
    ...(row.avatar_key === null ? {} : { icon: renderImage(config, row.avatar_key, row.avatar_description) }),
    ...(row.header_key === null ? {} : { image: renderImage(config, row.header_key, row.header_description) }),
    ...(row.also_known_as.length > 0 ? { alsoKnownAs: row.also_known_as } : {}),
    ...(row.moved_to_uri === null ? {} : { movedTo: row.moved_to_uri }),
  }
}

/** Returns the instance actor, without context. It exists only to sign requests: it has no followers and no posts. */
export function writeInstanceActor(config: Config, { publicKeyPem }: { publicKeyPem: string }): Json<object> {
  const id = instanceActorUri(config)
  return toJson({
    id,
    type: 'Application',
    ...endpointsOf(config, id),
    preferredUsername: instanceName(config),
    url: `${config.origin}/`,
    manuallyApprovesFollowers: true,
    publicKey: renderKey(id, publicKeyPem),
  })
}

/** Returns the username of the instance actor: the domain of the server, which is no valid username of an account. */
export function instanceName(config: Config): string {
  return config.localDomain.replace(/:\d+$/, '')
}

function endpointsOf(config: Config, actor: string): object {
  return { inbox: `${actor}/inbox`, outbox: `${actor}/outbox`, endpoints: { sharedInbox: sharedInboxUri(config) } }
}

function renderKey(owner: string, publicKeyPem: string): object {
  return { id: keyIdOf(owner), owner, publicKeyPem }
}

function renderImage(config: Config, key: string, description: string): object {
  return {
    type: 'Image',
    mediaType: mediaTypeOf(key) ?? undefined,
    url: fileUrl(config, key),
    ...(description === '' ? {} : { summary: description }),
  }
}

function formatSource(config: Config, text: string): ProfileSource {
  return {
    text,
    tagUrl: (name) => tagUrl(config, name),
  }
}

function tagUrl(config: Config, name: string): string {
  return `${config.origin}/tags/${encodeURIComponent(name)}`
}
