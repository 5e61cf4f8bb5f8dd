import { toJson } from '../../lib/json.ts'
import type { Json } from '../../lib/json.ts'
import type { Config } from '../../platform/config.ts'
import { ACTOR_CONTEXT, NOTE_CONTEXT, PLAIN_CONTEXT, PUBLIC, withContext } from '../wire/context.ts'
import { addressTo } from './audience.ts'
import type { Audience } from './audience.ts'
import type { BoostRow } from './load-notes.ts'
import { timeOf } from './time.ts'
import { actorUri, followersUri } from './uris.ts'
import type { NoteDocument } from './write-notes.ts'

/**
 * Something that an actor of here did. Its id says what it is about, so that the same deed always has the same one and
 * is sent once.
 */
export interface Activity {
  uri: string
  /** What the names in `json` mean. */
  context: Json<unknown>
  /** Without context, as it stands in collections and in other activities. */
  json: Json<object>
}

/** An activity as it is sent. */
export function documentOf({ context, json }: Activity): Json<object> {
  return withContext(context, json)
}

/** Somebody published a note. */
export function writeCreate(config: Config, { note }: { note: NoteDocument }): Activity {
  const { to, cc, published } = note
  const head = {
    id: `${note.uri}/activity`,
    type: 'Create',
    actor: actorUri(config, note.accountId),
    published,
    to,
    cc,
  }
  return around(NOTE_CONTEXT, head, note.json)
}

/**
 * A note is no longer what it was: its author edited it, or its poll has other figures. `at` is when; the id has its
 * milliseconds, since two changes may come in one second.
 */
export function writeUpdate(config: Config, { note, at }: { note: NoteDocument; at: Date }): Activity {
  const { to, cc } = note
  const actor = actorUri(config, note.accountId)
  const head = { id: `${note.uri}#updates/${at.getTime()}`, type: 'Update', actor, published: timeOf(at), to, cc }
  return around(NOTE_CONTEXT, head, note.json)
}

/** A profile is no longer what it was. `json` is the actor as `writeActor` gives it. */
export function writeActorUpdate({ actor, json, at }: { actor: string; json: Json<object>; at: Date }): Activity {
  return around(ACTOR_CONTEXT, { id: `${actor}#updates/${at.getTime()}`, type: 'Update', actor, to: [PUBLIC] }, json)
}

/** A note is gone. Everybody may know, whoever could read it. */
export function writeDelete({ actor, uri }: { actor: string; uri: string }): Activity {
  const object = { id: uri, type: 'Tombstone', atomUri: uri }
  return plain({ id: `${uri}#delete`, type: 'Delete', actor, to: [PUBLIC], object }, NOTE_CONTEXT)
}

/** An account is gone. */
export function writeActorDelete({ actor }: { actor: string }): Activity {
  return plain({ id: `${actor}#delete`, type: 'Delete', actor, to: [PUBLIC], object: actor })
}

/** An account has moved to another one. `id` is that of the move. */
export function writeMove(
  config: Config,
  { accountId, target, id }: { accountId: string; target: string; id: string },
): Activity {
  const actor = actorUri(config, accountId)
  const to = [followersUri(config, accountId)]
  return plain({ id: `${actor}#moves/${id}`, type: 'Move', actor, to, object: actor, target })
}

/** Somebody passed a status on. `note` stands in it where others could not fetch it: the author's own, for followers. */
export function writeAnnounce(config: Config, { boost, note }: { boost: BoostRow; note?: NoteDocument }): Activity {
  const head = {
    id: boost.uri,
    type: 'Announce',
    actor: actorUri(config, boost.account_id),
    published: timeOf(boost.created_at),
    ...audienceOfBoost(config, boost),
  }
  return note ? around(NOTE_CONTEXT, head, note.json) : plain({ ...head, object: boost.original_uri }, NOTE_CONTEXT)
}

function audienceOfBoost(config: Config, boost: BoostRow): Audience {
  const followersUrl = followersUri(config, boost.account_id)
  return addressTo(boost.visibility, { followersUrl, mentioned: [], first: [boost.original_author_uri] })
}

/** `boostId` is the id of the boost's own status. */
export function writeUndoAnnounce({ boostId, announce }: { boostId: string; announce: Activity }): Activity {
  const actor = actorOf(announce)
  return undo(announce, { id: `${actor}#announces/${boostId}/undo`, to: [PUBLIC] })
}

export function writeLike({ actor, object, id }: { actor: string; object: string; id: string }): Activity {
  return plain({ id: `${actor}#likes/${id}`, type: 'Like', actor, object })
}

/** Somebody chose an option of a poll. `id` is that of the vote. Only the poll's author hears of it. */
export function writeVote({ actor, id, option, poll, author }: Vote): Activity {
  const uri = `${actor}#votes/${id}`
  const object = { id: uri, type: 'Note', name: option, attributedTo: actor, inReplyTo: poll, to: [author] }
  return plain({ id: `${uri}/activity`, type: 'Create', actor, to: [author], object })
}

interface Vote {
  actor: string
  id: string
  /** Its text. */
  option: string
  poll: string
  author: string
}

/** Something becomes part of one of the actor's own lists: a status or a hashtag of what they put first. */
export function writeAdd({ actor, object, target, id }: Membership): Activity {
  return plain({ id: `${actor}#adds/${id}`, type: 'Add', actor, object, target }, NOTE_CONTEXT)
}

export function writeRemove({ actor, object, target, id }: Membership): Activity {
  return plain({ id: `${actor}#removes/${id}`, type: 'Remove', actor, object, target }, NOTE_CONTEXT)
}

/** What belongs to which list of whom. `id` tells it from every other time that the same was added or removed. */
export interface Membership {
  actor: string
  object: string | object
  target: string
  id: string
}

/** `id` is that of the follow or of the request; `uri` the one that was told when it was made, if any. */
export function writeFollow({ actor, object, id, uri }: Relation): Activity {
  return plain({ id: uri ?? `${actor}#follows/${id}`, type: 'Follow', actor, object })
}

export function writeBlock({ actor, object, id, uri }: Relation): Activity {
  return plain({ id: uri ?? `${actor}#blocks/${id}`, type: 'Block', actor, object })
}

/** Whom an actor has to do with, by both ids. */
export interface Relation {
  actor: string
  object: string
  id: string
  uri: string | null
}

/** `follow` is the relation as the other side made it: its `object` is who accepts. */
export function writeAccept(follow: Relation): Activity {
  const actor = follow.object
  return around(
    PLAIN_CONTEXT,
    { id: `${actor}#accepts/follows/${follow.id}`, type: 'Accept', actor },
    writeFollow(follow).json,
  )
}

/** Also ends a follow that was accepted before. */
export function writeReject(follow: Relation): Activity {
  const actor = follow.object
  return around(
    PLAIN_CONTEXT,
    { id: `${actor}#rejects/follows/${follow.id}`, type: 'Reject', actor },
    writeFollow(follow).json,
  )
}

export function writeUndoFollow(follow: Relation): Activity {
  return undo(writeFollow(follow), { id: `${follow.actor}#follows/${follow.id}/undo` })
}

export function writeUndoBlock(block: Relation): Activity {
  return undo(writeBlock(block), { id: `${block.actor}#blocks/${block.id}/undo` })
}

export function writeUndoLike(like: { actor: string; object: string; id: string }): Activity {
  const undone = writeLike(like)
  return undo(undone, { id: `${undone.uri}/undo` })
}

/** What is taken back stands in it whole: the other side may know it by its parts only. */
function undo(activity: Activity, { id, to }: { id: string; to?: string[] }): Activity {
  return around(activity.context, { id, type: 'Undo', actor: actorOf(activity), ...(to && { to }) }, activity.json)
}

function actorOf({ json }: Activity): string {
  return (JSON.parse(json) as { actor: string }).actor
}

interface Head {
  id: string
  type: string
  actor: string
  published?: string
  to?: string[]
  cc?: string[]
}

function plain(
  activity: Head & { object: unknown; target?: string },
  context: Json<unknown> = PLAIN_CONTEXT,
): Activity {
  return { uri: activity.id, context, json: toJson(activity) }
}

/** An activity about an object that is JSON already. */
function around(context: Json<unknown>, head: Head, object: Json<object>): Activity {
  return { uri: head.id, context, json: `${toJson(head).slice(0, -1)},"object":${object}}` as Json<object> }
}
