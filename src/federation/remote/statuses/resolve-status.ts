import type { Ctx } from '../../../domain/context.ts'
import { lockUris } from '../../../domain/core/lock-uris.ts'
import { linkReplies } from '../../../domain/statuses/remote/link-replies.ts'
import type { RemoteStatusFacts } from '../../../domain/statuses/remote/remote-status-facts.ts'
import { statement } from '../../../platform/db/statement.ts'
import { PostponedError } from '../../../platform/jobs/postponed-error.ts'
import { visibilityOf } from '../../objects/audience.ts'
import { isNote } from '../../objects/read/read-note.ts'
import type { ParsedNote } from '../../objects/read/read-note.ts'
import { resolveQuotePolicy } from '../../objects/read/read-quote.ts'
import type { WireObject } from '../../wire/normalize.ts'
import { idOf, isOfType, isSameHost } from '../../wire/read-values.ts'
import { resolveActor } from '../actors/resolve-actor.ts'
import type { FetchBudget } from '../fetch/budget.ts'
import { fetchDocument } from '../fetch/fetch-document.ts'
import { findKnownStatus } from './find-known-status.ts'
import { isVote } from './is-vote.ts'
import { readRemoteNote } from './read-remote-note.ts'
import { recordStatus } from './record-status.ts'
import { verifyQuote } from './verify-quote.ts'
import { isExpectedFailure, isTemporary, RemoteError } from '../fetch/remote-errors.ts'

const WRAPPERS = new Set(['Create', 'Update'])

/**
 * The numbers of parts that slashes separate in a URI: the least in that of an actor, and the most that are examined.
 */
const MIN_ACTOR_SEGMENTS = 4
const MAX_SEGMENTS = 12

/** The depth to which nested quotes are fetched. */
const QUOTE_DEPTH = 2

const findAuthor = statement<{
  params: { accountId: string }
  row: { uri: string; followers_url: string | null; following_url: string | null }
}>(`select uri, followers_url, following_url from accounts where id = $accountId`)
const findAccounts = statement<{ params: { uris: readonly string[] }; row: { id: string; uri: string } }>(
  `select id, uri from accounts where uri = any($uris) and suspended_at is null`,
)

const findSuspended = statement<{ params: { uris: readonly string[] } }>(
  `select from accounts where uri = any($uris) and domain is not null and suspended_at is not null limit 1`,
)

const findTopmostKnown = statement<{
  params: { uri: string; maxDepth: number }
  row: { in_reply_to_uri: string | null }
}>(
  `with recursive thread as (
     select in_reply_to_id, in_reply_to_uri, 1 as height from statuses where uri = $uri and deleted_at is null
     union all
     select parent.in_reply_to_id, parent.in_reply_to_uri, height + 1
     from thread join statuses parent on parent.id = thread.in_reply_to_id where height < $maxDepth::integer
   )
   select in_reply_to_uri from thread where in_reply_to_id is null`,
)

/**
 * Returns the id of a status. An unknown status is fetched from its server and recorded, with its ancestors. A status
 * that was fetched rather than delivered has to be public or unlisted.
 * @throws RemoteError · RequestError · what `fetchDocument` and `resolveActor` throw
 */
export async function resolveStatus(ctx: Ctx, { uri, budget }: { uri: string; budget: FetchBudget }): Promise<string> {
  const known = await findKnownStatus(ctx, uri)
  if (known !== null) return known
  const document = await fetchNote(ctx, { uri, budget })
  return recordFetchedStatus(ctx, { document, budget })
}

/** Records a public or unlisted status whose document comes from its own server. @throws as `resolveStatus` */
export async function recordFetchedStatus(
  ctx: Ctx,
  { document, budget }: { document: WireObject; budget: FetchBudget },
): Promise<string> {
  const statusId = await recordPublicStatus(ctx, { document, budget, quoteDepth: QUOTE_DEPTH })
  await fetchAncestors(ctx, { parentUri: idOf(document['inReplyTo']), budget }).catch((err: unknown) => {
    // The status is stored now, so a retry of the job would not get here.
    if (!(err instanceof PostponedError)) throw err
    ctx.log.debug({ err }, 'Parent of a status could not be fetched')
  })
  return statusId
}

/**
 * Fetches the document of a status by its URI or by the URI of its Create or Update.
 * @throws RemoteError, before anything is fetched, for a URI below that of a suspended account · as `fetchDocument`
 */
export async function fetchNote(ctx: Ctx, { uri, budget }: { uri: string; budget: FetchBudget }): Promise<WireObject> {
  if ((await findSuspended(ctx.db, { uris: parentsOf(uri) })).length > 0) {
    throw new RemoteError(`The account of ${uri} is suspended`)
  }
  const document = await fetchDocument(ctx, { uri, budget })
  if (isNote(document)) return document
  const inner = isOfType(document, WRAPPERS) ? idOf(document['object']) : null
  if (inner === null) throw new RemoteError(`The document at ${uri} is not a status`)
  return fetchDocument(ctx, { uri: inner, budget })
}

/** Returns the URIs of which a URI is a subpath. Many servers identify statuses by URIs below that of their author. */
function parentsOf(uri: string): string[] {
  const segments = uri.split('/').slice(0, MAX_SEGMENTS)
  return segments.map((_segment, index) => segments.slice(0, index).join('/')).slice(MIN_ACTOR_SEGMENTS)
}

async function recordPublicStatus(
  ctx: Ctx,
  { document, budget, quoteDepth }: { document: WireObject; budget: FetchBudget; quoteDepth: number },
): Promise<string> {
  const note = await readRemoteNote(ctx, document)
  if (await isVote(ctx, note)) throw new RemoteError(`${note.uri} is a vote`)
  if (!isSameHost(note.attributedTo, note.uri)) throw new RemoteError(`${note.uri} is not on its author's server`)
  const known = await findKnownStatus(ctx, note.uri)
  if (known !== null) return known
  const accountId = await resolveActor(ctx, { uri: note.attributedTo, budget })
  const references = await findNoteReferences(ctx, { note, accountId })
  const statusData = await toRemoteStatus(ctx, { note, accountId, references, budget })
  if (statusData.visibility !== 'public' && statusData.visibility !== 'unlisted') {
    throw new RemoteError(`${note.uri} is not public`)
  }
  const { statusId } = await recordStatus(ctx, statusData)
  await resolveQuotedStatus(ctx, { note, budget, depth: quoteDepth })
  return statusId
}

/**
 * Fetches and verifies the quote of a stored status, and nested quotes. If that fails, the quote stays pending; only in
 * jobs, temporary failures are thrown, so that the job is retried.
 * @throws FetchFailedError · RemoteBusyError in jobs
 */
export async function resolveQuotedStatus(
  ctx: Ctx,
  { note: { uri, quote }, budget, depth = QUOTE_DEPTH }: { note: ParsedNote; budget: FetchBudget; depth?: number },
): Promise<void> {
  if (depth === 0) return
  await verifyQuote(ctx, {
    statusUri: uri,
    quote,
    budget,
    find: async (quoted) => {
      const known = await findKnownStatus(ctx, quoted)
      if (known !== null) return known
      return recordPublicStatus(ctx, {
        document: await fetchNote(ctx, { uri: quoted, budget }),
        budget,
        quoteDepth: depth - 1,
      })
    },
  }).catch((err: unknown) => {
    if (budget.background && isTemporary(err)) throw err
    return nullIfExpected(ctx, err)
  })
}

/** The stored accounts that a note refers to. */
export interface NoteReferences {
  author: { uri: string; followers_url: string | null; following_url: string | null }
  /** The ids of the accounts that it addresses or mentions and that are not suspended, by their URIs. */
  ids: ReadonlyMap<string, string>
}

/** Returns the references of a note by an account. @throws RemoteError if the account does not exist any more */
export async function findNoteReferences(
  ctx: Pick<Ctx, 'db'>,
  { note: { attributedTo, to, cc, mentions }, accountId }: { note: ParsedNote; accountId: string },
): Promise<NoteReferences> {
  const [author] = await findAuthor(ctx.db, { accountId })
  if (!author) throw new RemoteError(`The account of ${attributedTo} was deleted`)
  const rows = await findAccounts(ctx.db, { uris: [...to, ...cc, ...mentions] })
  return { author, ids: new Map(rows.map(({ uri, id }) => [uri, id])) }
}

/**
 * Returns the facts to record of a note by an account. Unknown mentioned accounts are fetched within the budget.
 * `readerId`: the local account whose inbox the note was delivered to, whether the note addresses it or not.
 */
export async function toRemoteStatus(
  ctx: Ctx,
  {
    note,
    accountId,
    references: { author, ids },
    budget,
    readerId = null,
  }: {
    note: ParsedNote
    accountId: string
    references: NoteReferences
    budget: FetchBudget
    readerId?: string | null
  },
): Promise<RemoteStatusFacts> {
  const { to, cc, mentions, quoteRules, isDirectMessage, ...noteFields } = note
  const addressed = [...new Set([...to, ...cc])]
  const rules = resolveQuotePolicy(quoteRules, author)
  const visibility = visibilityOf({ to, cc }, { followersUrl: author.followers_url })
  const addressedSet = new Set(addressed)
  const mentionedIds: string[] = []
  for (const uri of mentions.filter((one) => addressedSet.has(one))) {
    const id = ids.get(uri) ?? (await findMentioned(ctx, { uri, budget }))
    if (id !== null) mentionedIds.push(id)
  }
  const addressedIds = addressed.map((uri) => ids.get(uri)).filter((id) => id !== undefined)
  // Hubzilla and Lemmy do not mention the recipients of their private messages.
  if (isDirectMessage && visibility === 'direct') mentionedIds.push(...addressedIds)
  const mentionedSet = new Set(mentionedIds)
  const others = new Set(addressedIds.concat(readerId ?? []))
  return {
    ...noteFields,
    accountId,
    quoteAutomatic: rules.automatic,
    quoteManual: rules.manual,
    visibility,
    mentionedIds: [...mentionedSet],
    readerId,
    replyUris: [],
    silentIds: [...others].filter((id) => !mentionedSet.has(id)),
  }
}

async function findMentioned(ctx: Ctx, { uri, budget }: { uri: string; budget: FetchBudget }): Promise<string | null> {
  if (!budget.mayFetchMentioned()) return null
  return resolveActor(ctx, { uri, budget }).catch((err: unknown) => nullIfExpected(ctx, err))
}

/**
 * Fetches the ancestors of a status, upwards from its parent, if it has one, until one is stored, one is unavailable,
 * or the budget is used up. Replies are linked to their parents as these are recorded. `resume`: continues above the
 * stored ancestors, where an earlier run was postponed.
 * @throws PostponedError
 */
export async function fetchAncestors(
  ctx: Ctx,
  { parentUri, budget, resume = false }: { parentUri: string | null; budget: FetchBudget; resume?: boolean },
): Promise<void> {
  let next = resume ? await findUnknownAncestor(ctx, { uri: parentUri, maxDepth: budget.maxDepth }) : parentUri
  for (let height = 0; next !== null && height < budget.maxDepth; height += 1) {
    if ((await findKnownStatus(ctx, next)) !== null) return
    const parent = await fetchNote(ctx, { uri: next, budget }).catch((err: unknown) => nullIfExpected(ctx, err))
    if (!parent) return
    const recorded = await recordPublicStatus(ctx, { document: parent, budget, quoteDepth: 1 }).catch((err: unknown) =>
      nullIfExpected(ctx, err),
    )
    if (recorded === null) return
    if (idOf(parent) !== next) await linkRepliesToPage(ctx, { statusId: recorded, url: next })
    next = idOf(parent['inReplyTo'])
  }
}

/**
 * Links the replies that name a status by another URL than its id. WordPress replies to the URL that its user entered,
 * usually that of the page.
 */
export async function linkRepliesToPage(
  ctx: Ctx,
  { statusId: id, url: uri }: { statusId: string; url: string },
): Promise<void> {
  await ctx.write(async (tx) => {
    // A concurrent transaction must not count the same replies.
    await lockUris(tx, { uris: [uri] })
    await linkReplies(tx, { id, uri })
  })
}

/** Returns the URI of the first ancestor that is not stored, starting with the status itself; null if there is none. */
async function findUnknownAncestor(
  ctx: Ctx,
  { uri, maxDepth }: { uri: string | null; maxDepth: number },
): Promise<string | null> {
  if (uri === null || (await findKnownStatus(ctx, uri)) === null) return uri
  const [top] = await findTopmostKnown(ctx.db, { uri, maxDepth })
  return top?.in_reply_to_uri ?? null
}

/** Logs an expected failure and returns null: related objects are optional. */
function nullIfExpected(ctx: Ctx, err: unknown): null {
  if (!isExpectedFailure(err)) throw err
  ctx.log.debug({ err }, 'Related object of a status could not be fetched')
  return null
}
