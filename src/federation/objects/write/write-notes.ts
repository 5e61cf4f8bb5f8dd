import type { Read } from '../../../domain/context.ts'
import { ByteLimitedCache } from '../../../lib/memory/byte-limited-cache.ts'
import { conversationTag, isLocalConversation } from '../../../domain/conversations/conversation-uri.ts'
import { toJson } from '../../../lib/json/json.ts'
import type { Json } from '../../../lib/json/json.ts'
import { cacheLimitOf } from '../../../platform/cache-limit.ts'
import type { Config } from '../../../platform/config/config.ts'
import { contentTypeOf } from '../../../platform/storage/storage.ts'
import { fileUrl } from '../../../render/media/render-media.ts'
import { audienceFor } from '../audience.ts'
import type { Audience, Visibility } from '../audience.ts'
import { loadNotes, loadNoteStates } from './load-notes.ts'
import type { MediaRow, NoteRow, NoteState, PollRow } from './load-notes.ts'
import { formatTimestamp } from './format-timestamp.ts'
import { actorUri, followersUri } from '../uris.ts'
import { renderEmoji } from './write-emoji.ts'
import { renderQuote, renderQuotePolicy } from './write-quote.ts'

/** The number of self-replies that a note embeds. */
const INLINE_REPLIES = 5

/** A Note or Question without context, and the properties that activities about it repeat. */
export interface NoteDocument extends Audience {
  uri: string
  accountId: string
  visibility: Visibility
  published: string
  editedAt: Date | null
  json: Json<object>
}

/** The part of a note that only an edit, a change of its custom emojis or a mark of its author changes. */
interface CachedNote extends Omit<NoteDocument, 'json'> {
  /** The JSON without its closing brace. */
  body: string
}

const caches = new WeakMap<Config, ByteLimitedCache<CachedNote>>()

/**
 * Returns the notes of local statuses by their ids. Reblogs and local-only statuses have none. Callers decide who can
 * see them. Runs two statements for any number of notes, one if all are cached.
 */
export async function writeNotes(
  read: Read,
  { ids, now }: { ids: readonly string[]; now: Date },
): Promise<Map<string, NoteDocument>> {
  const states = await loadNoteStates(read, { ids })
  const cached = await loadCachedNotes(read, states)
  const notes = new Map<string, NoteDocument>()
  for (const state of states) {
    const one = cached.get(state.id)
    if (!one) continue
    const { body, ...rest } = one
    const stateJson = toJson(renderState(state, { uri: one.uri, now })).slice(1)
    notes.set(state.id, { ...rest, json: `${body},${stateJson}` as Json<object> })
  }
  return notes
}

async function loadCachedNotes(read: Read, states: readonly NoteState[]): Promise<Map<string, CachedNote>> {
  const cache = cacheOf(read.config)
  const found = new Map<string, CachedNote>()
  const missing = new Map<string, NoteState>()
  for (const state of states) {
    const cached = cache.get(cacheKeyOf(state))
    // The audience of a limited author's note depends on relationships too, so these notes are not cached.
    if (cached && !state.silenced) found.set(state.id, cached)
    else missing.set(state.id, state)
  }
  for (const row of await loadNotes(read, { ids: [...missing.keys()] })) {
    const state = missing.get(row.id)!
    const cached = renderNote(read.config, row, state)
    found.set(row.id, cached)
    if (!state.silenced) cache.set(cacheKeyOf(state), cached, (cached.body.length + cached.uri.length) * 2)
  }
  return found
}

function cacheKeyOf({ id, version, sensitized, emoji_images: emojiImages }: NoteState): string {
  return `${id}.${version}.${sensitized}.${emojiImages ?? ''}`
}

function renderNote(config: Config, row: NoteRow, { poll, sensitized }: NoteState): CachedNote {
  const actor = actorUri(config, row.account_id)
  const mentions = row.mentions ?? []
  const mentioned = mentions
    .filter((one) => one.addressed)
    .flatMap((one) => (one.followers_url === null ? [one.uri] : [one.uri, one.followers_url]))
  const audience = audienceFor(row.visibility, { followersUrl: followersUri(config, row.account_id), mentioned })
  const published = formatTimestamp(row.created_at)
  const note = {
    id: row.uri,
    type: poll ? 'Question' : 'Note',
    attributedTo: actor,
    ...audience,
    content: row.content,
    ...(row.language === null ? {} : { contentMap: { [row.language]: row.content } }),
    summary: row.spoiler_text === '' ? null : row.spoiler_text,
    sensitive: row.sensitive || sensitized,
    inReplyTo: row.in_reply_to_uri,
    published,
    // To the millisecond, so that remote servers can order two edits within a second.
    ...(row.edited_at === null ? {} : { updated: row.edited_at.toISOString() }),
    url: row.url,
    atomUri: row.uri,
    inReplyToAtomUri: row.in_reply_to_uri,
    ...renderConversation(config, row.conversation),
    ...renderQuote(row.quote),
    ...renderQuotePolicy(config, row),
    attachment: (row.media ?? []).map((media) => renderMedia(config, media)),
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
      ...(row.emojis ?? []).map((emoji) => renderEmoji(config, emoji)),
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

/** Names the thread, in `context` too if it has a collection that can be fetched (FEP-7888). */
function renderConversation(config: Config, conversation: NoteRow['conversation']): object {
  if (conversation === null) return {}
  const { uri } = conversation
  const isLocal = uri === null || isLocalConversation(config, uri)
  return {
    conversation: isLocal ? conversationTag(config, conversation) : uri,
    ...(uri !== null && /^https:/i.test(uri) && { context: uri }),
  }
}

function renderMedia(config: Config, media: MediaRow): object {
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
    ...(media.type !== 'image' && media.preview_key !== null ? { icon: renderIcon(config, media.preview_key) } : {}),
  }
}

/** Returns the thumbnail of a video or audio file. */
function renderIcon(config: Config, key: string): object {
  return { type: 'Image', mediaType: contentTypeOf(key), url: fileUrl(config, key) }
}

function renderState(state: NoteState, { uri, now }: { uri: string; now: Date }): object {
  const collection = (name: string, totalItems: number) => ({ id: `${uri}/${name}`, type: 'Collection', totalItems })
  return {
    replies: renderReplies(state, uri),
    likes: collection('likes', state.favourites_count),
    shares: collection('shares', state.reblogs_count),
    ...(state.poll ? renderPoll(state.poll, now) : {}),
  }
}

/**
 * Returns the replies collection, which embeds the self-replies first because they continue the author's own thread.
 */
function renderReplies({ self_replies }: NoteState, uri: string): object {
  const id = `${uri}/replies`
  const all = self_replies ?? []
  const inlineReplies = all.slice(0, INLINE_REPLIES)
  const next = all.length > inlineReplies.length ? `&min_id=${inlineReplies.at(-1)!.id}` : '&only_other_accounts=true'
  return {
    id,
    type: 'Collection',
    first: {
      type: 'CollectionPage',
      partOf: id,
      next: `${id}?page=true${next}`,
      items: inlineReplies.map((reply) => reply.uri),
    },
  }
}

function renderPoll(poll: PollRow, now: Date): object {
  const end = poll.expires_at === null ? null : new Date(poll.expires_at)
  const isExpired = end !== null && end <= now
  const hidden = poll.hide_totals && !isExpired
  const choices = poll.options.map((name, index) => ({
    type: 'Note',
    name,
    replies: { type: 'Collection', totalItems: hidden ? null : (poll.tallies[index] ?? 0) },
  }))
  return {
    [poll.multiple ? 'anyOf' : 'oneOf']: choices,
    ...(end === null ? {} : { endTime: formatTimestamp(end) }),
    ...(isExpired ? { closed: formatTimestamp(end) } : {}),
    ...(poll.voters_count === null ? {} : { votersCount: poll.voters_count }),
  }
}

function cacheOf(config: Config): ByteLimitedCache<CachedNote> {
  let cache = caches.get(config)
  if (!cache) caches.set(config, (cache = new ByteLimitedCache({ limit: cacheLimitOf(config) })))
  return cache
}
