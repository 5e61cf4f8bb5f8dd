import { toJson } from '../../../lib/json/json.ts'
import type { Json } from '../../../lib/json/json.ts'
import type { Config } from '../../../platform/config/config.ts'
import { ACTOR_CONTEXT, NOTE_CONTEXT, BASE_CONTEXT, PUBLIC, withContext } from '../../wire/context.ts'
import { audienceFor } from '../audience.ts'
import type { Audience } from '../audience.ts'
import type { ReblogRow } from './load-notes.ts'
import { formatTimestamp } from './format-timestamp.ts'
import { actorUri, followersUri } from '../uris.ts'
import type { NoteDocument } from './write-notes.ts'

/**
 * An activity of a local actor. Its id is derived from the action, so that the same action always has the same id and
 * is sent once.
 */
export interface Activity {
  uri: string
  /** The JSON-LD context of `json`. */
  context: Json<unknown>
  /** Without context, as it is embedded in collections and in other activities. */
  json: Json<object>
}

/** Returns an activity with its context, as it is sent. */
export function toDocument({ context, json }: Activity): Json<object> {
  return withContext(context, json)
}

/** Returns the Create of a note. `restoredAt`: the time of its restoration, which makes it another Create. */
export function writeCreate(config: Config, { note, restoredAt }: { note: NoteDocument; restoredAt?: Date }): Activity {
  const { to, cc, published } = note
  const head = {
    id: restoredAt === undefined ? `${note.uri}/activity` : `${note.uri}#restorations/${restoredAt.getTime()}`,
    type: 'Create',
    actor: actorUri(config, note.accountId),
    published,
    to,
    cc,
  }
  return withObject(NOTE_CONTEXT, head, note.json)
}

/**
 * Returns the Update of a note, after an edit or a change of its poll's tallies. `at`: the time of the change, which is
 * in the id with milliseconds, since two changes may happen within a second.
 */
export function writeUpdate(config: Config, { note, at }: { note: NoteDocument; at: Date }): Activity {
  const { to, cc } = note
  const actor = actorUri(config, note.accountId)
  const head = {
    id: `${note.uri}#updates/${at.getTime()}`,
    type: 'Update',
    actor,
    published: formatTimestamp(at),
    to,
    cc,
  }
  return withObject(NOTE_CONTEXT, head, note.json)
}

/** Returns the Update of an actor. `json`: the actor as `writeActor` returns it. */
export function writeActorUpdate({ actor, json, at }: { actor: string; json: Json<object>; at: Date }): Activity {
  return withObject(
    ACTOR_CONTEXT,
    { id: `${actor}#updates/${at.getTime()}`, type: 'Update', actor, to: [PUBLIC] },
    json,
  )
}

/** Returns the Update of an actor with a new key. `version`: that of the key. */
export function writeKeyUpdate({
  actor,
  json,
  version,
}: {
  actor: string
  json: Json<object>
  version: number
}): Activity {
  return withObject(ACTOR_CONTEXT, { id: `${actor}#keys/${version}`, type: 'Update', actor, to: [PUBLIC] }, json)
}

/**
 * Returns the Delete of a note, which is public whatever the visibility of the note was. `restoredAt`: the time of a
 * restoration that came before, in milliseconds; it makes this another Delete.
 */
export function writeDelete({
  actor,
  uri,
  restoredAt,
}: {
  actor: string
  uri: string
  restoredAt?: number | undefined
}): Activity {
  const id = restoredAt === undefined ? `${uri}#delete` : `${uri}#deletes/${restoredAt}`
  const object = { id: uri, type: 'Tombstone', atomUri: uri }
  return createActivity({ id, type: 'Delete', actor, to: [PUBLIC], object }, NOTE_CONTEXT)
}

/** Returns the Delete of an account. */
export function writeActorDelete({ actor }: { actor: string }): Activity {
  return createActivity({ id: `${actor}#delete`, type: 'Delete', actor, to: [PUBLIC], object: actor })
}

/** Returns the Move of an account to another one. `id`: the id of the row in `account_moves`. */
export function writeMove(
  config: Config,
  { accountId, target, id }: { accountId: string; target: string; id: string },
): Activity {
  const actor = actorUri(config, accountId)
  const to = [followersUri(config, accountId)]
  return createActivity({ id: `${actor}#moves/${id}`, type: 'Move', actor, to, object: actor, target })
}

/**
 * Returns the Announce of a reblog. `note` is embedded if other servers could not fetch it: the author's reblog of an
 * own followers-only status.
 */
export function writeAnnounce(config: Config, { reblog, note }: { reblog: ReblogRow; note?: NoteDocument }): Activity {
  const head = {
    id: reblog.uri,
    type: 'Announce',
    actor: actorUri(config, reblog.account_id),
    published: formatTimestamp(reblog.created_at),
    ...audienceOfReblog(config, reblog),
  }
  return note
    ? withObject(NOTE_CONTEXT, head, note.json)
    : createActivity({ ...head, object: reblog.original_uri }, NOTE_CONTEXT)
}

function audienceOfReblog(config: Config, reblog: ReblogRow): Audience {
  const followersUrl = followersUri(config, reblog.account_id)
  return audienceFor(reblog.visibility, { followersUrl, mentioned: [], first: [reblog.original_author_uri] })
}

/** Returns the Undo of an Announce. `reblogId`: the id of the reblog's own status. */
export function writeUndoAnnounce({ reblogId, announce }: { reblogId: string; announce: Activity }): Activity {
  const actor = actorOf(announce)
  return createUndo(announce, { id: `${actor}#announces/${reblogId}/undo`, to: [PUBLIC] })
}

/** Returns a Like. `id`: the id of the favourite. */
export function writeLike({ actor, object, id }: { actor: string; object: string; id: string }): Activity {
  return createActivity({ id: `${actor}#likes/${id}`, type: 'Like', actor, object })
}

/** Returns the Create of a vote, addressed to the poll's author only. `id`: the id of the vote. */
export function writeVote({ actor, id, option, poll, author }: Vote): Activity {
  const uri = `${actor}#votes/${id}`
  const object = { id: uri, type: 'Note', name: option, attributedTo: actor, inReplyTo: poll, to: [author] }
  return createActivity({ id: `${uri}/activity`, type: 'Create', actor, to: [author], object })
}

interface Vote {
  actor: string
  id: string
  /** The text of the option. */
  option: string
  poll: string
  author: string
}

/** Returns the Add of an item to a collection of the actor: a pinned status or a featured hashtag. */
export function writeAdd({ actor, object, target, id }: CollectionEntry): Activity {
  return createActivity({ id: `${actor}#adds/${id}`, type: 'Add', actor, object, target }, NOTE_CONTEXT)
}

/** Returns the Remove of an item from a collection of the actor. */
export function writeRemove({ actor, object, target, id }: CollectionEntry): Activity {
  return createActivity({ id: `${actor}#removes/${id}`, type: 'Remove', actor, object, target }, NOTE_CONTEXT)
}

/** An item of an actor's collection. `id` distinguishes repeated additions and removals of the same item. */
export interface CollectionEntry {
  actor: string
  object: string | object
  target: string
  id: string
}

/**
 * Returns a Follow. `id`: the id of the follow or the follow request; `uri`: the id of the activity when it was
 * created.
 */
export function writeFollow({ actor, object, id, uri }: Relationship): Activity {
  return createActivity({ id: uri ?? `${actor}#follows/${id}`, type: 'Follow', actor, object })
}

/** Returns a Block. `id`: the id of the block; `uri`: the id of the activity when it was created. */
export function writeBlock({ actor, object, id, uri }: Relationship): Activity {
  return createActivity({ id: uri ?? `${actor}#blocks/${id}`, type: 'Block', actor, object })
}

/** A relationship between two actors, by their ids. */
export interface Relationship {
  actor: string
  object: string
  id: string
  uri: string | null
}

/** Returns the Accept of a remote account's Follow. The `object` of the follow is the account that accepts. */
export function writeAccept(follow: Relationship): Activity {
  const actor = follow.object
  return withObject(
    BASE_CONTEXT,
    { id: `${actor}#accepts/follows/${follow.id}`, type: 'Accept', actor },
    writeFollow(follow).json,
  )
}

/** Returns the Reject of a remote account's Follow, which also ends a follow that was accepted before. */
export function writeReject(follow: Relationship): Activity {
  const actor = follow.object
  return withObject(
    BASE_CONTEXT,
    { id: `${actor}#rejects/follows/${follow.id}`, type: 'Reject', actor },
    writeFollow(follow).json,
  )
}

export function writeUndoFollow(follow: Relationship): Activity {
  return createUndo(writeFollow(follow), { id: `${follow.actor}#follows/${follow.id}/undo` })
}

export function writeUndoBlock(block: Relationship): Activity {
  return createUndo(writeBlock(block), { id: `${block.actor}#blocks/${block.id}/undo` })
}

export function writeUndoLike(like: { actor: string; object: string; id: string }): Activity {
  const undone = writeLike(like)
  return createUndo(undone, { id: `${undone.uri}/undo` })
}

/** Returns an Undo that embeds the whole activity, since remote servers may not have stored its id. */
function createUndo(activity: Activity, { id, to }: { id: string; to?: string[] }): Activity {
  return withObject(activity.context, { id, type: 'Undo', actor: actorOf(activity), ...(to && { to }) }, activity.json)
}

function actorOf({ json }: Activity): string {
  return (JSON.parse(json) as { actor: string }).actor
}

interface ActivityHead {
  id: string
  type: string
  actor: string
  published?: string
  to?: string[]
  cc?: string[]
}

function createActivity(
  activity: ActivityHead & { object: unknown; target?: string },
  context: Json<unknown> = BASE_CONTEXT,
): Activity {
  return { uri: activity.id, context, json: toJson(activity) }
}

/** Returns an activity whose object is already serialised. */
function withObject(context: Json<unknown>, head: ActivityHead, object: Json<object>): Activity {
  return { uri: head.id, context, json: `${toJson(head).slice(0, -1)},"object":${object}}` as Json<object> }
}
