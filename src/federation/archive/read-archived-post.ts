import type { EndedPoll } from '../../domain/polls/add-ended-poll.ts'
import type { ImportedPost } from '../../domain/statuses/write/import-status.ts'
import type { ArchiveFailure, ArchiveFailureReason } from '../../domain/transfers/imports/archive-failures.ts'
import { isBlank } from '../../lib/text/is-blank.ts'
import { MAX_HTML_LENGTH } from '../../lib/html/sanitize.ts'
import type { FocalPoint } from '../../lib/parse-focal-point.ts'
import { visibilityOf } from '../objects/audience.ts'
import { LIMITS } from '../objects/read/limits.ts'
import { readFocus } from '../objects/read/read-attachments.ts'
import { readNote } from '../objects/read/read-note.ts'
import type { ParsedPoll } from '../objects/read/read-poll.ts'
import { InvalidDocumentError } from '../wire/invalid-document-error.ts'
import { normalizeDocument } from '../wire/normalize.ts'
import type { WireObject } from '../wire/normalize.ts'
import { idOf, isOfType, objectOf, objectsOf, textOf } from '../wire/read-values.ts'
import { postTextOf } from './post-text.ts'

/** The account of an archive. */
export interface ArchivedActor {
  uri: string
  followersUrl: string | null
}

/** A file of an archive that belongs to a post. */
export interface ArchivedFile {
  /** Its name in the archive; null if the post names none. */
  name: string | null
  description: string
  focus: FocalPoint | null
}

/** An entry of an archive: a post, a post that cannot be imported, or something else. */
export type ArchivedEntry =
  | { kind: 'post'; post: ImportedPost; files: ArchivedFile[] }
  | { kind: 'failure'; uri: string; failure: ArchiveFailure }
  | { kind: 'other' }

const CREATE = new Set(['Create'])
const POSTS = new Set(['Note', 'Question'])
const FILES = new Set(['Document', 'Image', 'Video', 'Audio'])
const MEDIA_FOLDER = 'media_attachments/'

/** The limits of imported polls, which exceed those of new ones. */
const MAX_OPTIONS = 20
const MAX_OPTION_CHARACTERS = 200

/** Reads the actor.json of an archive; null if it names no account. */
export function readArchivedActor(json: string): ArchivedActor | null {
  const document = parse(json)
  const uri = document && idOf(document)
  return uri ? { uri, followersUrl: idOf(document['followers']) } : null
}

/**
 * Reads an entry of the outbox.json of an archive. Boosts, posts of other accounts, votes and posts that were addressed
 * only to mentioned accounts are no posts to import.
 */
export function readArchivedPost(json: string, { actor, now }: { actor: ArchivedActor; now: Date }): ArchivedEntry {
  const activity = parse(json)
  if (!activity) return { kind: 'failure', uri: '', failure: { reason: 'entry-unreadable' } }
  const object = objectOf(activity['object'])
  if (!isOfType(activity, CREATE) || !object || !isOfType(object, POSTS)) return { kind: 'other' }
  const author = activity['actor'] === undefined ? actor.uri : idOf(activity['actor'])
  if (author !== actor.uri || idOf(object['attributedTo']) !== actor.uri) return { kind: 'other' }
  try {
    return readPost(object, { actor, now })
  } catch (err) {
    if (!(err instanceof InvalidDocumentError)) throw err
    return { kind: 'failure', uri: idOf(object) ?? '', failure: { reason: 'post-unreadable' } }
  }
}

function readPost(object: WireObject, { actor, now }: { actor: ArchivedActor; now: Date }): ArchivedEntry {
  const note = readNote(object, { now })
  const { uri, publishedAt, spoilerText } = note
  const visibility = visibilityOf(note, actor)
  const isVote = note.vote !== null && note.content === ''
  if (visibility === 'direct' || isVote) return { kind: 'other' }
  const failure = (reason: ArchiveFailureReason): ArchivedEntry => ({
    kind: 'failure',
    uri,
    failure: { reason },
  })
  if (publishedAt === null) return failure('post-undated')
  if ((textOf(object['content'], MAX_HTML_LENGTH + 1) ?? '').length > MAX_HTML_LENGTH) {
    return failure('post-too-long')
  }
  const poll = note.poll && endedPollOf(note.poll, now)
  if (note.poll && !poll) return failure('poll-refused')
  const files = readFiles(object)
  const text = postTextOf(note.content, { object })
  if (isBlank(text) && files.length === 0 && !poll) return failure('post-empty')
  const { sensitive, language, updatedAt, inReplyTo, hashtags } = note
  return {
    kind: 'post',
    post: {
      uri,
      text,
      spoilerText,
      visibility,
      sensitive,
      language,
      publishedAt,
      updatedAt,
      inReplyTo,
      hashtags,
      poll,
    },
    files,
  }
}

/** Returns the poll with its results, as ended; null if it is not a poll that this server could show. */
function endedPollOf({ options, tallies, multiple, votersCount, expiresAt }: ParsedPoll, now: Date): EndedPoll | null {
  const isSimple =
    options.length >= 2 &&
    options.length <= MAX_OPTIONS &&
    new Set(options).size === options.length &&
    options.every((option) => option.length <= MAX_OPTION_CHARACTERS)
  const votes = tallies.reduce((sum, tally) => sum + tally, 0)
  if (!isSimple || votes > MAX_VOTES) return null
  const endedAt = expiresAt !== null && expiresAt < now ? expiresAt : now
  return { options, tallies, multiple, votersCount: votersCount ?? votes, endedAt }
}

/** The maximum value of the PostgreSQL type integer. */
const MAX_VOTES = 2_147_483_647

/** Reads the attachments, whose URLs are the names of files in the archive. */
function readFiles(object: WireObject): ArchivedFile[] {
  return objectsOf(object['attachment'], LIMITS.links)
    .filter((one) => isOfType(one, FILES))
    .slice(0, LIMITS.attachments)
    .map((one) => ({
      name: fileNameOf(textOf(one['url'], LIMITS.field)),
      description: textOf(one['summary'], LIMITS.description) || textOf(one['name'], LIMITS.description) || '',
      focus: readFocus(one),
    }))
}

/** Archives of servers with object storage have a slash, a bucket or a complete URL before the folder. */
function fileNameOf(url: string | null): string | null {
  const start = url?.indexOf(MEDIA_FOLDER) ?? -1
  return start === -1 ? null : url!.slice(start).replace(/[?#].*$/s, '')
}

function parse(json: string): WireObject | null {
  try {
    return normalizeDocument(JSON.parse(json))
  } catch (err) {
    if (err instanceof SyntaxError || err instanceof InvalidDocumentError) return null
    throw err
  }
}
