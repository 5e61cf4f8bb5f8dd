import type { Read } from '../../domain/context.ts'
import { ByteCache } from '../../lib/byte-cache.ts'
import { toJson } from '../../lib/json.ts'
import type { Json } from '../../lib/json.ts'
import type { Config } from '../../platform/config.ts'
import { contentTypeOf } from '../../platform/storage/storage.ts'
import { fileUrl } from '../../render/media/render-media.ts'
import { addressTo } from './audience.ts'
import type { Audience, Visibility } from './audience.ts'
import { loadNotes, loadNoteStates } from './load-notes.ts'
import type { MediaRow, NoteRow, NoteState, PollRow } from './load-notes.ts'
import { timeOf } from './time.ts'
import { actorUri, followersUri } from './uris.ts'
import { presentEmoji } from './write-emoji.ts'
import { presentQuote, presentQuotePolicy } from './write-quote.ts'

/** How much memory the notes may take in one process. */
const CACHE_BYTES = 16 * 1024 * 1024

/** How many of an author's own replies stand in the note itself. */
const REPLIES_INSIDE = 5

/** A note or a poll, without context, and what an activity about it repeats. */
export interface NoteDocument extends Audience {
  uri: string
  accountId: string
  visibility: Visibility
  published: string
  editedAt: Date | null
  json: Json<object>
}

/** What only an edit changes. */
interface Kept extends Omit<NoteDocument, 'json'> {
  /** Without its closing brace. */
  body: string
}

const caches = new WeakMap<Config, ByteCache<Kept>>()

/**
 * The notes of statuses that were written here, by their ids. Boosts, and what is not for other servers, have none.
 * Who may read them is asked elsewhere. Two statements for any number of them, one when all are kept.
 */
export async function writeNotes(
  read: Read,
  { ids, now }: { ids: readonly string[]; now: Date },
): Promise<Map<string, NoteDocument>> {
  const states = await loadNoteStates(read, { ids })
  const kept = await findKept(read, states)
  const notes = new Map<string, NoteDocument>()
  for (const state of states) {
    const one = kept.get(state.id)
    if (!one) continue
    const { body, ...rest } = one
    const changing = toJson(presentState(state, { uri: one.uri, now })).slice(1)
    notes.set(state.id, { ...rest, json: `${body},${changing}` as Json<object> })
  }
  return notes
}

async function findKept(read: Read, states: readonly NoteState[]): Promise<Map<string, Kept>> {
  const cache = cacheOf(read.config)
  const found = new Map<string, Kept>()
  const missing = new Map<string, NoteState>()
  for (const state of states) {
    const kept = cache.get(`${state.id}.${state.version}`)
    // Whom a limited author reaches depends on more than the note.
    if (kept && !state.silenced) found.set(state.id, kept)
    else missing.set(state.id, state)
  }
  for (const row of await loadNotes(read, { ids: [...missing.keys()] })) {
    const kept = presentNote(read.config, row, missing.get(row.id)!)
    found.set(row.id, kept)
    const { version, silenced } = missing.get(row.id)!
    if (!silenced) cache.set(`${row.id}.${version}`, kept, (kept.body.length + kept.uri.length) * 2)
  }
  return found
}

function presentNote(config: Config, row: NoteRow, { poll }: NoteState): Kept {
  const actor = actorUri(config, row.account_id)
  const mentions = row.mentions ?? []
  const mentioned = mentions
    .filter((one) => one.addressed)
    .flatMap((one) => (one.followers_url === null ? [one.uri] : [one.uri, one.followers_url]))
  const audience = addressTo(row.visibility, { followersUrl: followersUri(config, row.account_id), mentioned })
  const published = timeOf(row.created_at)
  const note = {
    id: row.uri,
    type: poll ? 'Question' : 'Note',
    attributedTo: actor,
    ...audience,
    content: row.content,
    ...(row.language === null ? {} : { contentMap: { [row.language]: row.content } }),
    summary: row.spoiler_text === '' ? null : row.spoiler_text,
    sensitive: row.sensitive,
    inReplyTo: row.in_reply_to_uri,
    published,
    // To the millisecond: of two edits within a second, readers must take the later one for newer.
    ...(row.edited_at === null ? {} : { updated: row.edited_at.toISOString() }),
    url: row.url,
    atomUri: row.uri,
    inReplyToAtomUri: row.in_reply_to_uri,
    ...(row.conversation === null ? {} : { conversation: conversationOf(config, row.conversation) }),
    ...presentQuote(row.quote),
    ...presentQuotePolicy(config, row),
    attachment: (row.media ?? []).map((media) => presentMedia(config, media)),
    tag: [
      ...mentions.map((one) => ({
        type: 'Mention',
        href: one.uri,
        name: `@${one.username}@${one.domain ?? config.localDomain}`,
      })),
      ...(row.tags ?? []).map((name) => ({
        type: 'Hashtag',
        href: `${config.origin}/tags/${encodeURIComponent(name)}`,
        name: `#${name}`,
      })),
      ...(row.emojis ?? []).map((emoji) => presentEmoji(config, emoji)),
    ],
  }
  return {
    uri: row.uri,
    accountId: row.account_id,
    visibility: row.visibility,
    ...audience,
    published,
    editedAt: row.edited_at,
    body: toJson(note).slice(0, -1),
  }
}

function conversationOf(config: Config, { id, uri, day }: NonNullable<NoteRow['conversation']>): string {
  return uri ?? `tag:${config.localDomain},${day}:objectId=${id}:objectType=Conversation`
}

function presentMedia(config: Config, media: MediaRow): object {
  const { original, focus } = media.meta
  return {
    type: 'Document',
    mediaType: media.content_type,
    url: media.file_key === null ? media.remote_url : fileUrl(config, media.file_key),
    name: media.description,
    ...(media.blurhash === null ? {} : { blurhash: media.blurhash }),
    ...(focus ? { focalPoint: [focus.x, focus.y] } : {}),
    ...(original?.width ? { width: original.width } : {}),
    ...(original?.height ? { height: original.height } : {}),
    ...(original?.duration ? { duration: `PT${original.duration.toFixed(3)}S` } : {}),
    ...(media.type !== 'image' && media.preview_key !== null ? { icon: presentIcon(config, media.preview_key) } : {}),
  }
}

/** The picture that stands for what moves or sounds. */
function presentIcon(config: Config, key: string): object {
  return { type: 'Image', mediaType: contentTypeOf(key), url: fileUrl(config, key) }
}

function presentState(state: NoteState, { uri, now }: { uri: string; now: Date }): object {
  const collection = (name: string, totalItems: number) => ({ id: `${uri}/${name}`, type: 'Collection', totalItems })
  return {
    replies: presentReplies(state, uri),
    likes: collection('likes', state.favourites_count),
    shares: collection('shares', state.reblogs_count),
    ...(state.poll ? presentPoll(state.poll, now) : {}),
  }
}

/** The author's own replies first: they go on with what they said. */
function presentReplies({ own_replies }: NoteState, uri: string): object {
  const id = `${uri}/replies`
  const all = own_replies ?? []
  const inside = all.slice(0, REPLIES_INSIDE)
  const next = all.length > inside.length ? `&min_id=${inside.at(-1)!.id}` : '&only_other_accounts=true'
  return {
    id,
    type: 'Collection',
    first: {
      type: 'CollectionPage',
      partOf: id,
      next: `${id}?page=true${next}`,
      items: inside.map((reply) => reply.uri),
    },
  }
}

function presentPoll(poll: PollRow, now: Date): object {
  const end = poll.expires_at === null ? null : new Date(poll.expires_at)
  const over = end !== null && end <= now
  const hidden = poll.hide_totals && !over
  const choices = poll.options.map((name, index) => ({
    type: 'Note',
    name,
    replies: { type: 'Collection', totalItems: hidden ? null : (poll.tallies[index] ?? 0) },
  }))
  return {
    [poll.multiple ? 'anyOf' : 'oneOf']: choices,
    ...(end === null ? {} : { endTime: timeOf(end) }),
    ...(over ? { closed: timeOf(end) } : {}),
    ...(poll.voters_count === null ? {} : { votersCount: poll.voters_count }),
  }
}

function cacheOf(config: Config): ByteCache<Kept> {
  let cache = caches.get(config)
  if (!cache) caches.set(config, (cache = new ByteCache({ maxBytes: CACHE_BYTES })))
  return cache
}
